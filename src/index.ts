export type { ValueType } from "./codec/index.ts";
export type { Durability } from "./engine/index.ts";
export { CheckpointError } from "./errors/fault.ts";
export * from "./errors/errors.ts";
export { IndexedDBSaver, type IndexedDBSaverOptions } from "./saver/saver.ts";
export type { WorkerOption } from "./worker/index.ts";
