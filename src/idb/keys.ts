import type {
  Branch,
  Channel,
  CheckpointId,
  CheckpointKey,
  ContentKey,
  Lineage,
  Namespace,
  LastStored,
  ThreadKey,
  WritesKey,
} from "./schema.ts";

/** All keys that start with `prefix`: an array sorts after every number and string, so `[...prefix, []]` is just past the last. */
function startingWith(prefix: readonly IDBValidKey[]): IDBKeyRange {
  return IDBKeyRange.bound(prefix, [...prefix, []]);
}

export const ranges = {
  /** Every row of a thread, in the three stores whose keys start with it. */
  thread: (thread: ThreadKey) => startingWith([thread]),
  checkpoints: (thread: ThreadKey, namespace: Namespace) => startingWith([thread, namespace]),
  /** The checkpoints of a namespace whose id is below `before`. */
  checkpointsBefore: (thread: ThreadKey, namespace: Namespace, before: CheckpointId) =>
    IDBKeyRange.bound([thread, namespace], [thread, namespace, before], false, true),
  checkpointsBetween: (first: CheckpointKey, last: CheckpointKey) => IDBKeyRange.bound(first, last),
  lineage: (thread: ThreadKey, namespace: Namespace, branch: Branch, from: number, to: number) =>
    IDBKeyRange.bound([thread, namespace, branch, from] satisfies Lineage, [thread, namespace, branch, to] satisfies Lineage),
  branch: (thread: ThreadKey, namespace: Namespace, branch: Branch) => startingWith([thread, namespace, branch]),
  storedUpTo: (thread: ThreadKey, namespace: Namespace, channel: Channel, branch: Branch, depth: number) =>
    IDBKeyRange.bound(
      [thread, namespace, channel, branch, 0] satisfies LastStored,
      [thread, namespace, channel, branch, depth] satisfies LastStored,
    ),
  writes: (thread: ThreadKey, namespace: Namespace, checkpoint: CheckpointId) => startingWith([thread, namespace, checkpoint]),
  writesBetween: (first: WritesKey, last: WritesKey) => IDBKeyRange.bound(first, last),
  writesOfIds: (thread: ThreadKey, namespace: Namespace, first: CheckpointId, last: CheckpointId) =>
    IDBKeyRange.bound([thread, namespace, first], [thread, namespace, last, []]),
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
