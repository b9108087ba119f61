export type { ValueType } from "./codec/index.ts";
export type { Checked, Durability, Finding, NoteCode, ProblemCode, RepairReport, VerifyReport } from "./engine/index.ts";
export { CheckpointError } from "./errors/fault.ts";
export * from "./errors/errors.ts";
export { IndexedDBSaver, type IndexedDBSaverOptions } from "./saver/saver.ts";
export type { StoreEvents } from "./threads/events.ts";
export type { ReadReport } from "./threads/reads.ts";
export type { PruneReport, Retention, RetentionPolicy } from "./threads/retention.ts";
export type { Remedy, StorageEstimate, StorageEvents, StorageFault, StorageNotice, StorageStatus, WorkerOption } from "./worker/index.ts";
