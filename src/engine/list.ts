import { type CheckpointKey, ranges, type Reading } from "../idb/index.ts";
import type { Threads } from "./thread.ts";
import { tuples, type Wanted } from "./tuples.ts";
import type { ListReply, ListRequest } from "./types.ts";

/** One page of checkpoints, newest first. */
export async function list(tx: Reading, threads: Threads, request: ListRequest): Promise<ListReply> {
  const keys = await page(tx, request);
  const more = keys.length > request.limit;
  const wanted: Wanted[] = [];
  for (const [thread, namespace, id] of keys.slice(0, request.limit)) {
    const state = wanted.find((each) => each.state.id === thread)?.state ?? (await threads.enter(tx, thread));
    wanted.push({ state, namespace, id });
  }
  const last = wanted.at(-1);
  const next = more && last !== undefined ? { next: { thread: last.state.id, namespace: last.namespace, id: last.id } } : {};
  if (request.values) return { ...(await tuples(tx, wanted)), ...next };
  const heads = await Promise.all(
    wanted.map(async ({ state, namespace, id }) => {
      const row = await state.checkpoint(tx, namespace, id);
      return row === undefined ? [] : [{ thread: state.id, namespace, id, head: row.head.slice(), channels: [], writes: [] }];
    }),
  );
  return { tuples: heads.flat(), runs: [], ...next };
}

/** The keys of the page, and one more if there is one. */
async function page(tx: Reading, request: ListRequest): Promise<CheckpointKey[]> {
  const { thread, namespace, id, before, after, limit } = request;
  const store = tx.objectStore("checkpoints");
  if (thread !== undefined && namespace !== undefined) {
    if (id !== undefined) {
      const wanted = before === undefined || id < before ? await store.getKey([thread, namespace, id]) : undefined;
      return wanted === undefined || after !== undefined ? [] : [wanted];
    }
    const below = after?.id ?? before;
    const range = below === undefined ? ranges.checkpoints(thread, namespace) : ranges.checkpointsBefore(thread, namespace, below);
    const end = await store.openKeyCursor(range, "prev");
    if (end === null) return [];
    const lastKey = end.primaryKey;
    const firstKey = limit === 0 ? lastKey : ((await end.advance(limit))?.primaryKey ?? undefined);
    const stretch = firstKey === undefined ? range : ranges.checkpointsBetween(firstKey, lastKey);
    return (await store.getAllKeys(stretch)).reverse();
  }
  // Over namespaces or threads there is no index to page by: their keys alone are read, and sorted.
  const keys = await store.getAllKeys(thread === undefined ? undefined : ranges.thread(thread));
  return keys
    .filter(
      (key) =>
        (namespace === undefined || key[1] === namespace) &&
        (id === undefined || key[2] === id) &&
        (before === undefined || key[2] < before) &&
        (after === undefined || newestFirst(key, [after.thread, after.namespace, after.id]) > 0),
    )
    .sort(newestFirst)
    .slice(0, limit + 1);
}

function newestFirst(a: CheckpointKey, b: CheckpointKey): number {
  return compare(b[2], a[2]) || compare(a[0], b[0]) || compare(a[1], b[1]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
