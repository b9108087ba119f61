export type { ValueType } from "./codec/index.ts";
export type { Checked, Durability, Finding, NoteCode, ProblemCode, VerifyReport } from "./engine/index.ts";
export { CheckpointError } from "./errors/fault.ts";
export * from "./errors/errors.ts";
export { IndexedDBSaver, type IndexedDBSaverOptions } from "./saver/saver.ts";
export type { ReadReport, StoreEvents } from "./threads/reads.ts";
export type { PruneReport, Retention, RetentionPolicy } from "./threads/retention.ts";
export type { WorkerOption } from "./worker/index.ts";
export { type ThreadTransferOptions, type ThreadTransferProgress, type ThreadTransferReport, type TransferSaver, transferThread } from "./transfer/index.ts";
