import { put, type Reading, type ThreadId, type ThreadKey, type Writing } from "../idb/index.ts";
import { packThread, type Revision, type ThreadRow, threadKeyOf, unpackRevision, unpackThread } from "./thread-row.ts";
import type { ThreadState } from "./thread.ts";
import type { StoredThread, ThreadsRequest, UpdateThreadRequest } from "./thread-types.ts";

type Place = NonNullable<ThreadsRequest["after"]>;

/** One page of the threads, those first that were written to last. */
export async function readThreads(tx: Reading, { id, limit, after }: ThreadsRequest): Promise<StoredThread[]> {
  const threads = id === undefined ? await allThreads(tx) : await oneThread(tx, id);
  const sorted = threads.sort(latestFirst);
  return (after === undefined ? sorted : sorted.filter((thread) => latestFirst(thread, after) > 0)).slice(0, limit);
}

async function oneThread(tx: Reading, id: ThreadId): Promise<StoredThread[]> {
  const record = await tx.objectStore("threads").get(id);
  if (record === undefined) return [];
  const revision = await tx.objectStore("revisions").get(threadKeyOf(id, record));
  return [joined(id, record, revision)];
}

async function allThreads(tx: Reading): Promise<StoredThread[]> {
  const [threads, revisions] = [tx.objectStore("threads"), tx.objectStore("revisions")];
  const [ids, records, keys, sealed] = await Promise.all([threads.getAllKeys(), threads.getAll(), revisions.getAllKeys(), revisions.getAll()]);
  const byKey = new Map(keys.map((key, index) => [key, sealed[index]]));
  return ids.map((id, index) => joined(id, records[index], byKey.get((records[index] as { key?: ThreadKey }).key as ThreadKey)));
}

/** A thread whose rows cannot be read is listed all the same: it can still be deleted. */
function joined(id: ThreadId, record: unknown, sealed: unknown): StoredThread {
  try {
    const key = threadKeyOf(id, record);
    return described(id, unpackThread(id, record as Parameters<typeof unpackThread>[1]), unpackRevision(key, sealed));
  } catch {
    return { id, created: 0, updated: 0, checkpoints: 0, bytes: 0, pinned: false, isDamaged: true };
  }
}

function described(id: ThreadId, { created, title, metadata, isPinned = false }: ThreadRow, { updated, checkpoints, bytes }: Revision): StoredThread {
  return {
    id,
    created,
    updated,
    checkpoints,
    bytes,
    pinned: isPinned,
    isDamaged: false,
    ...(title === undefined ? {} : { title }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function latestFirst(a: Place, b: Place): number {
  return b.updated - a.updated || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Changes what is said about a thread. The row is read anew: another tab may have changed the rest of it. */
export async function updateThread(tx: Writing, state: ThreadState, { title, metadata, pinned }: UpdateThreadRequest): Promise<void> {
  const record = await tx.objectStore("threads").get(state.id);
  const { title: oldTitle, metadata: oldMetadata, isPinned: wasPinned = false, ...row } = record === undefined ? state.row : unpackThread(state.id, record);
  const [newTitle, newMetadata] = [title === undefined ? oldTitle : title, metadata === undefined ? oldMetadata : metadata];
  state.row = {
    ...row,
    ...(newTitle === undefined || newTitle === null ? {} : { title: newTitle }),
    ...(newMetadata === undefined || newMetadata === null ? {} : { metadata: newMetadata }),
    ...((pinned ?? wasPinned) ? { isPinned: true } : {}),
  };
  put(tx, "threads", packThread(state.id, state.row), state.id);
}
