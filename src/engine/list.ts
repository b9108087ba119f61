import { type CheckpointKey, ranges, type Reading, type ThreadId, type ThreadKey } from "../idb/index.ts";
import { threadKeyOf } from "./rows.ts";
import type { Threads, ThreadState } from "./thread.ts";
import { tuples, type Wanted } from "./tuples.ts";
import type { ListCursor, ListReply, ListRequest } from "./types.ts";

/** One page of checkpoints, newest first. */
export async function list(tx: Reading, threads: Threads, request: ListRequest): Promise<ListReply> {
  const places = await page(tx, threads, request);
  const states = new Map<ThreadId, ThreadState | undefined>();
  const wanted: Wanted[] = [];
  for (const { thread, namespace, id } of places.slice(0, request.limit)) {
    if (!states.has(thread)) states.set(thread, await threads.enter(tx, thread));
    const state = states.get(thread);
    if (state !== undefined) wanted.push({ state, namespace, id });
  }
  const last = places.length > request.limit ? places[request.limit - 1] : undefined;
  const next = last === undefined ? {} : { next: last };
  if (request.values) return { ...(await tuples(tx, wanted)), ...next };
  const heads = await Promise.all(
    wanted.map(async ({ state, namespace, id }) => {
      const row = await state.checkpoint(tx, namespace, id);
      return row === undefined ? [] : [{ thread: state.id, namespace, id, head: row.head.slice(), channels: [], writes: [] }];
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
  const store = tx.objectStore("checkpoints");
  const below = after?.id ?? before;
  const range =
    below === undefined ? ranges.checkpoints(state.key, namespace) : ranges.checkpointsBefore(state.key, namespace, below);
  const end = await store.openKeyCursor(range, "prev");
  if (end === null) return [];
  const lastKey = end.primaryKey;
  const firstKey = limit === 0 ? lastKey : (await end.advance(limit))?.primaryKey;
  const keys = await store.getAllKeys(firstKey === undefined ? range : ranges.checkpointsBetween(firstKey, lastKey));
  return keys.reverse().map(([, , id]) => ({ thread, namespace, id }));
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
  const keys = await tx.objectStore("checkpoints").getAllKeys(range);
  return keys
    .flatMap((key: CheckpointKey): ListCursor[] => {
      const thread = threads.get(key[0]);
      return thread === undefined ? [] : [{ thread, namespace: key[1], id: key[2] }];
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
