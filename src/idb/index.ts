export { Connection } from "./connection.ts";
export { type Counts, counting, countsOf } from "./counts.ts";
export { idKey, idOf, isUuid } from "./id-key.ts";
export { keys, ranges } from "./keys.ts";
export { readByKeys } from "./read-by-keys.ts";
export { nextSize, pages } from "./pages.ts";
export { contentPages, contentRows, goesOn } from "./records.ts";
export { randomName } from "./random-name.ts";
export type {
  BlockKey,
  Branch,
  Channel,
  CheckpointId,
  CheckpointKey,
  CheckpointRecord,
  ContentKey,
  ContentPartKey,
  Lineage,
  Namespace,
  Reading,
  RowStore,
  Sealed,
  TaskId,
  ThreadId,
  ThreadKey,
  ThreadRecord,
  Writing,
  WritesKey,
} from "./schema.ts";
export { THREAD_STORES } from "./schema.ts";
export { put, read, remove, write } from "./transaction.ts";
export { derivationOf } from "./derivation.ts";
export { forgetKey, keptKey } from "./kept-keys.ts";
export { reencrypt } from "./reencrypt.ts";
