import { ranges, remove, THREAD_STORES, type ThreadKey, type Writing } from "../idb/index.ts";
import { unpackThread } from "./thread-row.ts";
import type { ThreadState } from "./thread.ts";
import type { DeleteThreadRequest } from "./types.ts";

/** Removes every row of a thread; gives whether it was one that might go. */
export async function deleteThread(tx: Writing, state: ThreadState, { unusedSince }: DeleteThreadRequest): Promise<boolean> {
  if (unusedSince !== undefined && state.damage !== undefined) throw state.damage;
  if (unusedSince !== undefined && (state.revision.updated > unusedSince || (await isPinned(tx, state)))) return false;
  removeRows(tx, state.key);
  remove(tx, "threads", state.id);
  state.isDeleted = true;
  return true;
}

/** All rows of a thread but the one that lists it. */
export function removeRows(tx: Writing, key: ThreadKey): void {
  for (const store of THREAD_STORES) remove(tx, store, ranges.thread(key));
  remove(tx, "revisions", key);
}

/** Another tab may have pinned it. */
async function isPinned(tx: Writing, { id }: ThreadState): Promise<boolean> {
  const record = await tx.objectStore("threads").get(id);
  return record !== undefined && unpackThread(id, record).isPinned === true;
}
