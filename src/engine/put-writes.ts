import { type Branch, type CheckpointId, type Namespace, put, ranges, type Writing, type WritesKey } from "../idb/index.ts";
import type { Log } from "./log.ts";
import { packWrites, unpackWrites, type WriteRow } from "./rows.ts";
import { inline, place, requireStorable } from "./store-value.ts";
import type { ThreadState } from "./thread.ts";
import type { PutWritesRequest } from "./types.ts";

/**
 * Stores the writes of one task under the checkpoint it ran on. A write is its index: of regular ones the first stays, of
 * special ones (below zero) the last. Decided row by row, so that a batch can do both.
 */
export async function putWrites(tx: Writing, state: ThreadState, request: PutWritesRequest): Promise<void> {
  const { namespace, checkpoint: id, task, path } = request;
  const key: WritesKey = [state.key, namespace, id, task];
  const [sealed, checkpoint] = await Promise.all([tx.objectStore("writes").get(key), state.checkpoint(tx, namespace, id)]);
  const earlier = sealed === undefined ? [] : unpackWrites(key, sealed);
  const kept = new Map<number, WriteRow>(earlier.map((write) => [write.index, write]));
  for (const { index, channel, value } of request.writes) {
    requireStorable(value, channel);
    if (index < 0 || !kept.has(index)) kept.set(index, { index, channel, path, ref: value });
  }
  // Without a checkpoint there is no branch yet, and no log: the row holds the bytes until `put` comes.
  await store(tx, state, key, [...kept.values()], checkpoint?.branch);
}

/** Moves the content of writes that came before their checkpoint to where it would be had they come after. */
export async function settleEarlyWrites(tx: Writing, state: ThreadState, namespace: Namespace, id: CheckpointId, branch: Branch): Promise<void> {
  const range = ranges.writes(state.key, namespace, id);
  const keys = await tx.objectStore("writes").getAllKeys(range);
  if (keys.length === 0) return;
  const rows = await tx.objectStore("writes").getAll(range);
  for (const [index, key] of keys.entries()) await store(tx, state, key, unpackWrites(key, rows[index]!), branch);
}

/** Puts the row. Elements go where the next checkpoint will look for them: to the log of the branch. */
async function store(tx: Writing, state: ThreadState, key: WritesKey, writes: readonly WriteRow[], branch: Branch | undefined): Promise<void> {
  const logs = new Set<Log>();
  const placed: WriteRow[] = [];
  for (const write of writes) {
    if (branch === undefined || "pieces" in write.ref || inline(write.ref) !== undefined) placed.push(write);
    else {
      const log = await state.openLog(tx, key[1], write.channel, branch);
      logs.add(log);
      placed.push({ ...write, ref: place(write.ref, [log], []) });
    }
  }
  const row = packWrites(key, placed);
  put(tx, "writes", row, key);
  state.row.bytes += row.length;
  for (const log of logs) state.row.bytes += await log.flush(tx);
}
