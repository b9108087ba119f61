import { FIRST_UUID, idKey, textKey } from "./id-key.ts";
import type { BlockKey, Branch, Channel, CheckpointId, CheckpointKey, ContentKey, Lineage, Namespace, PastKey, TaskId, ThreadId, ThreadKey, WritesKey } from "./schema.ts";

export const keys = {
  checkpoint: (thread: ThreadKey, namespace: Namespace, id: CheckpointId): CheckpointKey => [thread, namespace, idKey(id)],
  writes: (thread: ThreadKey, namespace: Namespace, id: CheckpointId, task: TaskId): WritesKey => [thread, namespace, idKey(id), idKey(task)],
  past: (thread: ThreadKey, namespace: Namespace, id: CheckpointId, part: number): PastKey => [thread, namespace, idKey(id), part],
};

/** All keys that start with `prefix`: an array sorts after everything else, so `[...prefix, []]` is just past the last. */
function startingWith(prefix: readonly IDBValidKey[]): IDBKeyRange {
  return IDBKeyRange.bound(prefix, [...prefix, []]);
}

export const ranges = {
  threadsAfter: (thread: ThreadId | undefined) => (thread === undefined ? IDBKeyRange.lowerBound("") : IDBKeyRange.lowerBound(thread, true)),
  /** The rows of all threads whose keys are above one. */
  afterThread: (thread: ThreadKey | undefined) => IDBKeyRange.lowerBound(thread === undefined ? [] : [thread, []]),
  /** Every row of a thread, in the stores whose keys start with it. */
  thread: (thread: ThreadKey) => startingWith([thread]),
  /** Every row of a namespace, in the same stores. */
  namespace: (thread: ThreadKey, namespace: Namespace) => startingWith([thread, namespace]),
  /** The checkpoints of a thread that come after one in the order of their keys. */
  checkpointsAfter: (thread: ThreadKey, namespace: Namespace, id: CheckpointId) =>
    IDBKeyRange.bound([thread, namespace, idKey(id)], [thread, []], true),
  /** The checkpoints whose ids are UUIDs, or are below one. */
  uuids: (thread: ThreadKey, namespace: Namespace, before?: CheckpointId) =>
    IDBKeyRange.bound([thread, namespace, FIRST_UUID], [thread, namespace, before === undefined ? [] : idKey(before)], false, true),
  /** The checkpoints whose ids are not UUIDs, or are below some text too. */
  otherIds: (thread: ThreadKey, namespace: Namespace, before?: string) =>
    IDBKeyRange.bound([thread, namespace], [thread, namespace, before === undefined ? FIRST_UUID : textKey(before)], false, true),
  /** What of a range comes before a key. */
  before: (range: IDBKeyRange, key: CheckpointKey) => IDBKeyRange.bound(range.lower, key, range.lowerOpen, true),
  /** The rows of a thread's namespaces that come after one. */
  afterNamespace: (thread: ThreadKey, namespace: Namespace | undefined) =>
    IDBKeyRange.bound(namespace === undefined ? [thread] : [thread, namespace, []], [thread, []]),
  /** The writes on checkpoints whose ids come after one, in the order of keys. */
  writesAfter: (thread: ThreadKey, namespace: Namespace, id: CheckpointId | undefined) =>
    IDBKeyRange.bound(id === undefined ? [thread, namespace] : [thread, namespace, idKey(id), []], [thread, namespace, []]),
  /** The places of a namespace that come after one: branch by branch. */
  lineageAfter: (thread: ThreadKey, namespace: Namespace, after: { readonly branch: Branch; readonly depth: number } | undefined) =>
    IDBKeyRange.bound(after === undefined ? [thread, namespace] : [thread, namespace, after.branch, after.depth], [thread, namespace, []], true),
  lineage: (thread: ThreadKey, namespace: Namespace, branch: Branch, from: number, to: number) =>
    IDBKeyRange.bound([thread, namespace, branch, from] satisfies Lineage, [thread, namespace, branch, to] satisfies Lineage),
  branch: (thread: ThreadKey, namespace: Namespace, branch: Branch) => startingWith([thread, namespace, branch]),
  branchesFrom: (thread: ThreadKey, namespace: Namespace, branch: Branch) =>
    IDBKeyRange.bound([thread, namespace, branch], [thread, namespace, []]),
  /** What is stored under a checkpoint's id: its writes, or its past. */
  under: (thread: ThreadKey, namespace: Namespace, id: CheckpointId) => startingWith([thread, namespace, idKey(id)]),
  /** What starts with the first of two keys or lies between them: all writes of all checkpoints from one to another, say. */
  between: (first: CheckpointKey | WritesKey, last: CheckpointKey | WritesKey) => IDBKeyRange.bound(first, [...last, []]),
  blocks: (thread: ThreadKey, namespace: Namespace, branch: Branch, from: number, to: number) =>
    IDBKeyRange.bound([thread, namespace, branch, from] satisfies BlockKey, [thread, namespace, branch, to] satisfies BlockKey),
  log: (thread: ThreadKey, namespace: Namespace, channel: Channel, branch: Branch) =>
    startingWith([thread, namespace, channel, branch]),
  /** The rows of a log whose first position is in `[from, to)`. */
  positions: (thread: ThreadKey, namespace: Namespace, channel: Channel, branch: Branch, from: number, to: number) =>
    IDBKeyRange.bound(
      [thread, namespace, channel, branch, from] satisfies ContentKey,
      [thread, namespace, channel, branch, to] satisfies ContentKey,
      false,
      true,
    ),
};
