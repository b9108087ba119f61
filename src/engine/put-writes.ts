import type { Branch, CheckpointId, TaskId, Writing } from "../idb/index.ts";
import type { Assumptions } from "./assumptions.ts";
import type { Place } from "./journal.ts";
import type { Log } from "./log.ts";
import type { NamespaceState } from "./namespace.ts";
import { inline, place, requireStorable } from "./store-value.ts";
import type { ThreadState } from "./thread.ts";
import type { PutWritesRequest } from "./types.ts";
import type { Write } from "./writes-row.ts";

/**
 * Stores the writes of one task under the checkpoint it ran on. A write is its index: of regular ones the first stays, of
 * special ones (below zero) the last. Decided row by row, so that a batch can do both.
 */
export async function putWrites(tx: Writing, state: ThreadState, request: PutWritesRequest, assumptions: Assumptions): Promise<void> {
  const { checkpoint: id, task, path } = request;
  const space = state.namespace(request.namespace);
  const checkpoint = await space.checkpoint(tx, id);
  const at = checkpoint && { id, branch: checkpoint.branch, depth: checkpoint.depth };
  const kept = new Map<number, Write>();
  for (const write of await space.journal.ofTask(tx, id, at, task, assumptions)) kept.set(write.index, write);
  // Elements go where the next checkpoint will look for them: to the log of the branch. A checkpoint to come most likely continues the last one's.
  const branch = checkpoint?.branch ?? space.lastBranch;
  for (const { index, channel, value } of request.writes) {
    requireStorable(value, channel, branch === undefined);
    if (index < 0 || !kept.has(index)) kept.set(index, { index, channel, path, ref: value });
  }
  if (branch === undefined) space.cameEarly(id);
  state.revision.bytes += await store(tx, space, { id, at, task }, [...kept.values()], branch, new Set(request.writes.filter(({ isNew }) => isNew).map(({ index }) => index)));
}

/** Moves the content of writes that came before their checkpoint, when no branch was known, to where it would be had they come after. */
export async function settleEarlyWrites(tx: Writing, space: NamespaceState, { id, branch }: Place): Promise<number> {
  let bytes = 0;
  for (const [task, writes] of (await space.journal.readRows(tx, [id])).get(id) ?? []) {
    if (writes.some(({ ref }) => "bytes" in ref && inline(ref) === undefined)) {
      bytes += await store(tx, space, { id, at: undefined, task }, writes, branch, new Set());
    }
  }
  return bytes;
}

interface Target {
  readonly id: CheckpointId;
  readonly at: Place | undefined;
  readonly task: TaskId;
}

/** Gives the bytes written. */
async function store(
  tx: Writing,
  space: NamespaceState,
  { id, at, task }: Target,
  writes: readonly Write[],
  branch: Branch | undefined,
  newOnes: ReadonlySet<number>,
): Promise<number> {
  const logs = new Set<Log>();
  const placed: Write[] = [];
  for (const write of writes) {
    if (branch === undefined || "pieces" in write.ref || inline(write.ref) !== undefined) placed.push(write);
    else {
      const log = await space.openLog(tx, write.channel, branch);
      if (!newOnes.has(write.index)) await log.fetchLast(tx); // What it holds is not added again.
      logs.add(log);
      placed.push({ ...write, ref: place(write.ref, [log], []) });
    }
  }
  let bytes = await space.journal.put(tx, id, at, task, placed);
  for (const log of logs) bytes += await log.flush(tx);
  return bytes;
}
