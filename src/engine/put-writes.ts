import type { Writing, WritesKey } from "../idb/index.ts";
import type { Log } from "./log.ts";
import { packWrites, type Ref, unpackWrites, type WriteRow } from "./rows.ts";
import { inline, place } from "./store-value.ts";
import type { ThreadState } from "./thread.ts";
import type { PendingWrite, PutWritesRequest } from "./types.ts";

/**
 * Stores the writes of one task under the checkpoint it ran on. A write is its index: of regular ones the first stays, of
 * special ones (below zero) the last. Decided row by row, so that a batch can do both.
 */
export async function putWrites(tx: Writing, state: ThreadState, request: PutWritesRequest): Promise<void> {
  const key: WritesKey = [state.id, request.namespace, request.checkpoint, request.task];
  const store = tx.objectStore("writes");
  const [sealed, checkpoint] = await Promise.all([store.get(key), state.checkpoint(tx, request.namespace, request.checkpoint)]);
  const earlier = sealed === undefined ? undefined : unpackWrites(key, sealed);
  const kept = new Map<number, WriteRow>(earlier?.map((write) => [write.index, write]));
  const logs = new Set<Log>();
  let changed = earlier === undefined;
  for (const write of request.writes) {
    if (write.index >= 0 && kept.has(write.index)) continue;
    const ref = inline(write.value) ?? (await append(write));
    kept.set(write.index, { index: write.index, channel: write.channel, path: request.path, ref });
    changed = true;
  }
  if (!changed) return;
  const row = packWrites(key, [...kept.values()]);
  void store.put(row, key);
  const thread = state.row!;
  thread.bytes += row.length;
  for (const log of logs) thread.bytes += await log.flush(tx);

  /** The elements go where the next checkpoint will look for them: the log of the branch. Without a checkpoint there is no branch yet. */
  async function append({ channel, value }: PendingWrite): Promise<Ref> {
    if (checkpoint === undefined) return value;
    const log = await state.openLog(tx, request.namespace, channel, checkpoint.branch);
    logs.add(log);
    return place(value, channel, [log], []);
  }
}
