import type { Channel, CheckpointId, Counts, Namespace, TaskId, ThreadId } from "../idb/index.ts";
import type { Durability, EncodedValue, PutChannel, PutRequest, Run, StoredValue, StoredWrites, TupleRequest, Version } from "./types.ts";

/*
 * What reads and writes whole threads, besides what LangGraph asks of a saver.
 */

/** A list as an edit of the one that the parent has of the same channel: `bytes` and `ends` hold the elements that are new. */
export interface EditedValue extends EncodedValue {
  /** In order: stretches of the parent's elements, as far as it has them, and numbers of new ones. */
  readonly segments: readonly (readonly [start: number, length: number] | readonly [added: number])[];
}

export interface AppendChannel extends Omit<PutChannel, "value"> {
  readonly value?: EncodedValue | EditedValue;
}

/** A checkpoint together with the writes that lead to it, in one transaction. */
export interface AppendRequest extends Omit<PutRequest, "channels"> {
  readonly channels: readonly AppendChannel[];
  /**
   * Stored under the parent, as writes of one task; but not where the parent has gone on otherwise already, since nothing would tell
   * whose they are.
   */
  readonly writes: readonly { readonly channel: Channel; readonly value: EncodedValue; readonly isNew: boolean }[];
  readonly task: TaskId;
  /** `"tip"`: only if nothing follows the parent, or without one if there is no checkpoint. `"anywhere"`: else as a branch. */
  readonly at: "tip" | "anywhere";
  /** The channels that were pending on the parent when the step was made: a branch is refused where there are others now. */
  readonly pending: readonly Channel[];
}

export interface StateRequest extends TupleRequest {
  /** Whose values are wanted. Absent: all. */
  readonly channels?: readonly Channel[];
  /** Whether the channels of its own pending writes are wanted. */
  readonly pending?: boolean;
}

export interface StateOfCheckpoint {
  readonly id: CheckpointId;
  readonly parent?: CheckpointId;
  readonly head: Uint8Array<ArrayBuffer>;
  readonly channels: readonly {
    readonly name: Channel;
    readonly version?: Version;
    /** Of the value that the checkpoint holds, wanted or not. Absent if it holds none. */
    readonly shape?: number;
    readonly value?: StoredValue;
  }[];
  /** The channels that something was written to on this checkpoint, if that was asked. */
  readonly pending: readonly Channel[];
}

export interface StateReply {
  readonly runs: readonly Run[];
  readonly checkpoint?: StateOfCheckpoint;
}

/** A part of a stored list: `count` elements from its start or its end, or as many before the position `before`. */
export interface WindowRequest extends TupleRequest {
  readonly channel: Channel;
  readonly from: "start" | "end";
  readonly count: number;
  readonly before?: number;
}

export interface WindowReply {
  readonly runs: readonly Run[];
  /** Absent where the checkpoint does not hold a value of the channel. */
  readonly window?: {
    readonly value: StoredValue;
    /** The position of the first element. */
    readonly start: number;
    /** How many elements the whole has. */
    readonly total: number;
  };
  /** Absent where there is no checkpoint. */
  readonly id?: CheckpointId;
  readonly head?: Uint8Array<ArrayBuffer>;
}

/** The checkpoints on the path back from one, itself first. */
export interface PathRequest extends TupleRequest {
  readonly limit: number;
}

export interface PathReply {
  readonly runs: readonly Run[];
  readonly steps: readonly {
    readonly id: CheckpointId;
    readonly parent?: CheckpointId;
    readonly head: Uint8Array<ArrayBuffer>;
    readonly versions: readonly { readonly name: Channel; readonly version?: Version }[];
  }[];
  /** What led to each. */
  readonly writes: StoredWrites;
  /** Where the path goes on. */
  readonly next?: CheckpointId;
}

export interface BranchesRequest {
  readonly thread: ThreadId;
  readonly namespace: Namespace;
}

/** A stretch of checkpoints each of which is the parent of the next. */
export interface StoredBranch {
  readonly start: CheckpointId;
  readonly tip: CheckpointId;
  readonly parent?: CheckpointId;
  readonly length: number;
}

export interface ThreadsRequest {
  /** Only this thread. */
  readonly id?: ThreadId;
  readonly limit: number;
  /** Only those that come after this one. */
  readonly after?: { readonly id: string; readonly updated: number };
}

export interface StoredThread {
  readonly id: ThreadId;
  readonly title?: string;
  readonly metadata?: EncodedValue;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly updated: number;
  readonly checkpoints: number;
  /** About what its rows take. */
  readonly bytes: number;
  /** Not to be removed to save space. */
  readonly pinned: boolean;
  /** Its rows cannot be read. */
  readonly isDamaged: boolean;
}

/** What is absent stays as it is, what is null goes. */
export interface UpdateThreadRequest {
  readonly thread: ThreadId;
  readonly title?: string | null;
  readonly metadata?: EncodedValue | null;
  readonly pinned?: boolean;
  readonly durability: Durability;
}

export interface UsageReply {
  /** Bytes of the rows of content. */
  readonly content: number;
  /** Bytes of the rows of writes. */
  readonly writes: number;
  /** By checkpoint, oldest first: the bytes of its row, of all it holds in full, and of what no checkpoint before it holds; whether it has a snapshot. */
  readonly steps: readonly { readonly id: CheckpointId; readonly row: number; readonly full: number; readonly fresh: number; readonly isSnapshot: boolean }[];
}

export interface ThreadEngine {
  append(request: AppendRequest): Promise<void>;
  state(request: StateRequest, counts?: Counts): Promise<StateReply>;
  window(request: WindowRequest, counts?: Counts): Promise<WindowReply>;
  path(request: PathRequest, counts?: Counts): Promise<PathReply>;
  branches(request: BranchesRequest): Promise<readonly StoredBranch[]>;
  threads(request: ThreadsRequest): Promise<readonly StoredThread[]>;
  updateThread(request: UpdateThreadRequest): Promise<void>;
  usage(request: { readonly thread: ThreadId }): Promise<UsageReply | undefined>;
}
