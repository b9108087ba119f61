import type { Channel, CheckpointId, Counts, Namespace, TaskId, ThreadId } from "../idb/index.ts";
import type { ThreadEngine } from "./thread-types.ts";
import type { TransferEngine } from "./transfer-types.ts";

/*
 * What callers and the engine say to each other: ids, numbers and bytes, all of it structured-cloneable. The byte arrays
 * of a request belong to the engine from the call on, those of a reply to the caller.
 */

/** Added to a shape: what the elements make is wrapped, as a channel's value can be. */
export const WRAPPED = 8;

/** Shapes below 8 tell what the elements make; adding 8 wraps that. The first of each is a value that is one element. */
export function isSingle(shape: number): boolean {
  return shape % WRAPPED === 0;
}

/** Of a value inside another, as snapshots are. */
export function isWrapped(shape: number): boolean {
  return shape >= 8;
}

export type Version = number | string;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A value as a sequence of elements: a list has one per item, most other values have exactly one. `ends[i]` is where
 * element `i` ends in `bytes`. `shape` is the codec's word for what the elements make together; the engine only keeps it.
 */
export interface EncodedValue {
  readonly shape: number;
  readonly bytes: Bytes;
  readonly ends: readonly number[] | Uint32Array;
}

/** A stretch of stored elements that a reply holds once, however many values of the reply refer to it. */
export interface Run {
  readonly bytes: Bytes;
  readonly ends: Uint32Array;
}

/** A value in a reply: where its elements are, as `[run, start, length, run, start, length, …]`. */
export interface StoredValue {
  readonly shape: number;
  readonly pieces: ArrayLike<number>;
}

export interface PutChannel {
  readonly name: Channel;
  /** Absent for a value whose channel has no version: it is stored, and found only in this checkpoint. */
  readonly version?: Version;
  /**
   * The step wrote this channel: what is stored is `value`, or nothing. Otherwise it is what the version stored before: a
   * version with a fraction is unique, of others `value` tells which one it is.
   */
  readonly fresh: boolean;
  readonly value?: EncodedValue;
}

export interface PutRequest {
  readonly thread: ThreadId;
  readonly namespace: Namespace;
  readonly id: CheckpointId;
  readonly parent?: CheckpointId;
  /** What the caller wants back verbatim with the checkpoint. */
  readonly head: Bytes;
  readonly channels: readonly PutChannel[];
  readonly durability: Durability;
}

interface PendingWrite {
  /** Below zero: a special row, of which the last one wins. Otherwise the first one wins. */
  readonly index: number;
  readonly channel: Channel;
  readonly value: EncodedValue;
  /** No log can hold its elements already: they need not be looked for. */
  readonly isNew?: boolean;
}

export interface PutWritesRequest {
  readonly thread: ThreadId;
  readonly namespace: Namespace;
  readonly checkpoint: CheckpointId;
  readonly task: TaskId;
  readonly path: string;
  readonly writes: readonly PendingWrite[];
  readonly durability: Durability;
}

export interface DeleteThreadRequest {
  readonly thread: ThreadId;
  /** Only if it was not written to since, in milliseconds since 1970, and is not pinned. */
  readonly unusedSince?: number;
  readonly durability: Durability;
}

export interface RemoveRequest {
  readonly thread: ThreadId;
  readonly namespace: Namespace;
  readonly remove: readonly CheckpointId[];
  /** Whether content that nothing refers to is given back in the same transaction, or by a later removal. */
  readonly reclaim: boolean;
  /** `"nothing"`: only what would go is wanted. */
  readonly change: "rows" | "nothing";
  readonly durability: Durability;
}

export interface RemoveReply {
  /** How many checkpoints went. */
  readonly checkpoints: number;
  /** How many bytes the rows of the thread are less. */
  readonly bytes: number;
}

export interface CopyThreadRequest {
  readonly source: ThreadId;
  readonly target: ThreadId;
  readonly durability: Durability;
}

export interface HeadsRequest {
  readonly thread: ThreadId;
  readonly after?: HeadsReply["next"];
}

/** Checkpoints of all namespaces, in no order that says anything. */
export interface HeadsReply {
  readonly heads: readonly {
    readonly namespace: Namespace;
    readonly id: CheckpointId;
    readonly parent?: CheckpointId;
    readonly head: Bytes;
  }[];
  readonly next?: { readonly namespace: Namespace; readonly id: CheckpointId };
}

/** `"relaxed"`: committed, and with the operating system. `"strict"`: on the disk. */
export type Durability = "relaxed" | "strict";

export interface TupleRequest {
  readonly thread: ThreadId;
  readonly namespace: Namespace;
  /** Absent: the newest. */
  readonly id?: CheckpointId;
  /**
   * Of those among these channels that have a version in the checkpoint, and no value, the history is wanted along with it;
   * or of those that are likely to be rebuilt from it.
   */
  readonly along?: readonly Channel[] | "likely";
}

/**
 * Writes of one or more steps. They can be a thousand and more, and objects are slow to send: so they are columns of numbers.
 * Those of one step stand together, in no particular order.
 */
export interface StoredWrites {
  /** Ids of tasks, task paths and channels. */
  readonly names: readonly string[];
  /** Of each write: step, task, path, index, channel, shape, number of pieces, and of each piece run, start and length. */
  readonly numbers: Int32Array<ArrayBuffer>;
}

export const NO_WRITES: StoredWrites = { names: [], numbers: new Int32Array() };

export interface StoredTuple {
  readonly thread: ThreadId;
  readonly namespace: Namespace;
  readonly id: CheckpointId;
  readonly parent?: CheckpointId;
  readonly head: Bytes;
  readonly channels: readonly { readonly name: Channel; readonly version?: Version; readonly value?: StoredValue }[];
  readonly writes: StoredWrites;
}

export interface TuplesReply {
  readonly runs: readonly Run[];
  readonly tuples: readonly StoredTuple[];
}

export interface TupleReply extends TuplesReply {
  readonly along?: HistoryAlong;
}

export interface HistoryAlong extends HistoryReply {
  readonly channels: readonly Channel[];
}

/** Newest first by checkpoint id, over the namespaces and threads that match. */
export interface ListRequest {
  readonly thread?: ThreadId;
  readonly namespace?: Namespace;
  readonly id?: CheckpointId;
  readonly before?: CheckpointId;
  readonly after?: ListCursor;
  /** How many checkpoints at most. A reply can hold fewer, and says by `next` whether there are more. */
  readonly limit: number;
  /** Whether the values and writes are wanted, or the heads will do. */
  readonly values: boolean;
}

/** The last checkpoint of a page. */
export interface ListCursor {
  readonly thread: ThreadId;
  readonly namespace: Namespace;
  readonly id: CheckpointId;
}

export interface ListReply extends TuplesReply {
  readonly next?: ListCursor;
}

export interface HistoryRequest extends Omit<TupleRequest, "along"> {
  readonly channels: readonly Channel[];
}

export interface HistoryReply {
  readonly runs: readonly Run[];
  /** The nearest stored value of each channel that has one. */
  readonly seeds: readonly { readonly channel: Channel; readonly value: StoredValue }[];
  /** The writes of the ancestors, oldest ancestor first. Each channel begins at its own seed. */
  readonly writes: StoredWrites;
}

export interface VerifyRequest {
  /** The thread that was verified last. Absent: begin. */
  readonly after?: ThreadId;
}

/**
 * - `damaged`: a row whose bytes are not those that were written.
 * - `missing-content`: a checkpoint or a write refers to elements that no readable row holds. It cannot be loaded.
 * - `overlap`: rows of a log that hold the same positions.
 * - `wrong-place`: a row that is not where it says, or where another is, or that its index does not find.
 * - `wrong-link`: a checkpoint that does not agree with the one before it on its branch.
 * - `wrong-count`: the thread's row counts otherwise than there are rows.
 * - `unreachable`: writes that no reader finds.
 * - `stray`: rows that belong to no thread.
 */
export type ProblemCode =
  | "damaged"
  | "missing-content"
  | "overlap"
  | "wrong-place"
  | "wrong-link"
  | "wrong-count"
  | "unreachable"
  | "stray";

/**
 * - `missing-parent`: a checkpoint whose parent is not there (yet, or any more). Its history begins with it.
 * - `missing-checkpoint`: writes whose checkpoint is not there (yet). A run that was cut short leaves some.
 * - `gap`: a log that lacks elements which nothing refers to.
 * - `stored-twice`: an element that its log holds already.
 * - `unfinished-import`: rows of an import that is under way, or was cut short. The next import removes the latter.
 * - `lost`: what a repair could not save. It still rejects with `damaged`.
 */
export type NoteCode = "missing-parent" | "missing-checkpoint" | "gap" | "stored-twice" | "unfinished-import" | "lost";

export interface Finding<Code extends ProblemCode | NoteCode> {
  readonly code: Code;
  /** Absent for a row of no thread. */
  readonly thread?: string;
  readonly store: string;
  /** Of the row, as JSON. */
  readonly key: string;
  readonly sentence: string;
}

/** What was looked at: how many of each, and the bytes of all elements. */
export interface Checked {
  readonly threads: number;
  readonly checkpoints: number;
  readonly writes: number;
  readonly elements: number;
  readonly bytes: number;
}

export interface VerifyReport {
  readonly checked: Checked;
  /** Empty if all is well. */
  readonly problems: readonly Finding<ProblemCode>[];
  /** What is worth knowing and no fault. */
  readonly notes: readonly Finding<NoteCode>[];
}

export interface RepairReport {
  /** The threads that something was wrong with. What could be read of them loads as before. */
  readonly repaired: readonly string[];
  /** What was removed, or marked as lost. */
  readonly dropped: readonly Finding<ProblemCode>[];
}

export interface RepairReply extends RepairReport {
  /** To go on after. Absent: that was all. */
  readonly next?: ThreadId;
  readonly repaired: readonly ThreadId[];
}

export interface VerifyReply extends VerifyReport {
  /** To go on after. Absent: that was all. */
  readonly next?: ThreadId;
}

/** The storage engine, here or behind a worker. Every promise of a write resolves when it is committed. */
export interface Engine extends ThreadEngine, TransferEngine {
  put(request: PutRequest): Promise<void>;
  putWrites(request: PutWritesRequest): Promise<void>;
  /** Whether there was one that might go. */
  deleteThread(request: DeleteThreadRequest): Promise<boolean>;
  /** Removes checkpoints of a namespace. Those that stay keep their state. */
  remove(request: RemoveRequest): Promise<RemoveReply>;
  copyThread(request: CopyThreadRequest): Promise<void>;
  heads(request: HeadsRequest): Promise<HeadsReply>;
  /** Here and where a second parameter is: what the read cost is added to that. */
  tuple(request: TupleRequest, counts?: Counts): Promise<TupleReply>;
  list(request: ListRequest, counts?: Counts): Promise<ListReply>;
  history(request: HistoryRequest, counts?: Counts): Promise<HistoryReply>;
  /** Looks at one thread, and after the last one for rows of no thread. */
  verify(request: VerifyRequest): Promise<VerifyReply>;
  /** Repairs one thread if something is wrong with it, and after the last one removes rows of no thread. */
  repair(request: VerifyRequest): Promise<RepairReply>;
  /** Lets go of the database until the next call: for a page that is put aside. */
  suspend(): Promise<void>;
  /** Waits for what was asked, then lets go of the database. */
  close(): Promise<void>;
}
