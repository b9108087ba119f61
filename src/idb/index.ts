export { Connection } from "./connection.ts";
export { ranges } from "./keys.ts";
export type {
  Branch,
  Channel,
  CheckpointId,
  CheckpointKey,
  CheckpointRecord,
  LastStored,
  Lineage,
  Namespace,
  Reading,
  Sealed,
  TaskId,
  ThreadId,
  ThreadKey,
  ThreadRecord,
  Writing,
  WritesKey,
} from "./schema.ts";
export { put, read, remove, write } from "./transaction.ts";
