import { type CheckpointId, type CheckpointKey, idOf, isUuid, ranges, type Reading, type ThreadId, type ThreadKey } from "../idb/index.ts";
import type { NamespaceState } from "./namespace.ts";
import { threadKeyOf } from "./thread-row.ts";
import type { Threads, ThreadState } from "./thread.ts";
import { tuples, type Wanted } from "./tuples.ts";
import { type ListCursor, type ListReply, type ListRequest, NO_WRITES } from "./types.ts";

/** About what a page may hold in values: its checkpoints are in memory together. */
const PAGE_BYTES = 16 * 1024 * 1024;

/** One page of checkpoints, newest first. */
export async function list(tx: Reading, threads: Threads, request: ListRequest): Promise<ListReply> {
  const places = await page(tx, threads, request);
  const states = new Map<ThreadId, ThreadState | undefined>();
  const wanted: Wanted[] = [];
  let [taken, bytes] = [0, 0];
  for (const { thread, namespace, id } of places.slice(0, request.limit)) {
    if (!states.has(thread)) states.set(thread, await threads.enter(tx, thread));
    const state = states.get(thread);
    bytes += request.values && state !== undefined ? state.bytesPerCheckpoint : 0;
    if (taken > 0 && bytes > PAGE_BYTES) break;
    taken++;
    // What a repair could not save is named by verify, and by whoever asks for it.
    if (state !== undefined && !state.namespace(namespace).lost.has(id)) wanted.push({ state, space: state.namespace(namespace), id });
  }
  const last = places.length > taken ? places[taken - 1] : undefined;
  const next = last === undefined ? {} : { next: last };
  if (request.values) return { ...(await tuples(tx, wanted)), ...next };
  const heads = await Promise.all(
    wanted.map(async ({ state, space, id }) => {
      const row = await space.checkpoint(tx, id);
      return row === undefined ? [] : [{ thread: state.id, namespace: space.name, id, head: row.head.slice(), channels: [], writes: NO_WRITES }];
    }),
  );
  return { tuples: heads.flat(), runs: [], ...next };
}

/** The checkpoints of the page, and one more if there is one. */
async function page(tx: Reading, threads: Threads, request: ListRequest): Promise<ListCursor[]> {
  const { thread, namespace, before, after, limit } = request;
  if (thread === undefined) return merged(tx, await threadsByKey(tx), undefined, request);
  const state = await threads.enter(tx, thread);
  if (state === undefined) return [];
  if (namespace === undefined || request.id !== undefined) {
    return merged(tx, new Map([[state.key, thread]]), ranges.thread(state.key), request);
  }
  const ids = await newestIds(tx, state.namespace(namespace), after?.id ?? before, limit + 1);
  return ids.map((id) => ({ thread, namespace, id }));
}

/** The greatest ids of a namespace, or those below one. */
async function newestIds(tx: Reading, { thread, name }: NamespaceState, before: CheckpointId | undefined, limit: number): Promise<CheckpointId[]> {
  const others = await lastIds(tx, ranges.otherIds(thread, name, before), limit);
  // Bytes can be compared with the bytes of a UUID only: below any other text are those whose own texts are.
  const bounded = before === undefined || isUuid(before);
  const uuids = await lastIds(tx, ranges.uuids(thread, name, bounded ? before : undefined), bounded ? limit : Number.POSITIVE_INFINITY);
  return [...others, ...uuids.filter((id) => bounded || id < before)].sort((a, b) => compare(b, a)).slice(0, limit);
}

/** The last ids of a range of keys, without looking at the ones before. */
async function lastIds(tx: Reading, range: ReturnType<typeof ranges.uuids>, limit: number): Promise<CheckpointId[]> {
  const store = tx.objectStore("checkpoints");
  const end = await store.openKeyCursor(range, "prev");
  if (end === null) return [];
  const last = end.primaryKey;
  const first = limit === 1 ? last : limit === Number.POSITIVE_INFINITY ? undefined : (await end.advance(limit - 1))?.primaryKey;
  const found = await store.getAllKeys(first === undefined ? range : ranges.between(first, last));
  return found.map((key) => idOf<CheckpointId>(key[2]));
}

async function threadsByKey(tx: Reading): Promise<Map<ThreadKey, ThreadId>> {
  const store = tx.objectStore("threads");
  const [ids, records] = await Promise.all([store.getAllKeys(), store.getAll()]);
  return new Map(records.map((record, index) => [threadKeyOf(ids[index]!, record), ids[index]!]));
}

/** Over namespaces or threads there is no index to page by: the keys alone are read, and sorted. */
async function merged(
  tx: Reading,
  threads: ReadonlyMap<ThreadKey, ThreadId>,
  range: ReturnType<typeof ranges.thread> | undefined,
  { namespace, id, before, after, limit }: ListRequest,
): Promise<ListCursor[]> {
  const found = await tx.objectStore("checkpoints").getAllKeys(range);
  return found
    .flatMap((key: CheckpointKey): ListCursor[] => {
      const thread = threads.get(key[0]);
      return thread === undefined ? [] : [{ thread, namespace: key[1], id: idOf(key[2]) }];
    })
    .filter(
      (place) =>
        (namespace === undefined || place.namespace === namespace) &&
        (id === undefined || place.id === id) &&
        (before === undefined || place.id < before) &&
        (after === undefined || newestFirst(place, after) > 0),
    )
    .sort(newestFirst)
    .slice(0, limit + 1);
}

function newestFirst(a: ListCursor, b: ListCursor): number {
  return compare(b.id, a.id) || compare(a.thread, b.thread) || compare(a.namespace, b.namespace);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
