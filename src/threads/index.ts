export {
  aggregate,
  type AggregateChannel,
  assertBatchInvariant,
  type BatchReducer,
  type ChannelDefinition,
  type Channels,
  delta,
  type DeltaChannel,
  type DeltaOptions,
  type Identified,
  lastValue,
  type LastValueChannel,
  type Message,
  messagesReducer,
  type MessageWrite,
  type Migration,
  Overwrite,
  type Reducer,
  type Removal,
  REMOVE_ALL_MESSAGES,
  removeMessage,
  type StateOf,
  type WriteOf,
} from "../channels/index.ts";
export type { ValueType } from "../codec/index.ts";
export type { Checked, Durability, Finding, NoteCode, ProblemCode, RepairReport, VerifyReport } from "../engine/index.ts";
export { CheckpointError } from "../errors/fault.ts";
export * from "../errors/errors.ts";
export type { Remedy, StorageEstimate, StorageEvents, StorageFault, StorageNotice, StorageStatus, WorkerOption } from "../worker/index.ts";
export type { Branch } from "./branches.ts";
export type { HistoryOptions, Step } from "./history.ts";
export type { StoreEvents } from "./events.ts";
export type { ReadReport } from "./reads.ts";
export type { PrunedThread, PruneOptions, PruneReport, Retention, RetentionPolicy } from "./retention.ts";
export type { ThreadState } from "./state.ts";
export { ThreadStore, type ThreadStoreOptions } from "./store.ts";
export { StoredMessage } from "./stored-message.ts";
export type { ListOptions, ThreadInfo, ThreadUpdate } from "./thread-info.ts";
export type { TranscriptOptions } from "./transcript.ts";
export type { ExportOptions, ImportedThread, ImportMode, ImportOptions, ImportReport, TransferProgress } from "./transfer.ts";
export type { Usage } from "./usage.ts";
export type { ThreadChange, WatchOptions } from "./watch.ts";
export type { AppendOptions, ReadOptions, Slice, SliceOptions, Thread, Update, Values } from "./thread.ts";
