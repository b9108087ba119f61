import { type CheckpointId, type Namespace, ranges, type Reading, type Sealed, type WritesKey } from "../idb/index.ts";
import { unpackWrites, type WriteRow } from "./rows.ts";
import type { ThreadState } from "./thread.ts";

export interface TaskWrites {
  readonly task: WritesKey[3];
  readonly writes: readonly WriteRow[];
}

/** Up to here, one request for each checkpoint is quicker than looking at the keys between them first. */
const FEW = 16;

/** Rows that lie between two wanted ones and are cheaper to read along than to read around. */
const GAP = 8;

/** Rows to one request: a bound on what one answer holds. */
const PAGE = 1024;

/** The writes of some checkpoints, by checkpoint. */
export async function readWrites(
  tx: Reading,
  state: ThreadState,
  namespace: Namespace,
  checkpoints: readonly CheckpointId[],
): Promise<Map<CheckpointId, TaskWrites[]>> {
  const wanted = new Map<CheckpointId, TaskWrites[]>(checkpoints.map((id) => [id, []]));
  const store = tx.objectStore("writes");

  async function take(range: ReturnType<typeof ranges.writes>): Promise<void> {
    const [keys, rows] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
    for (const [index, key] of keys.entries()) {
      wanted.get(key[2])?.push({ task: key[3], writes: unpackWrites(key, rows[index] as Sealed) });
    }
  }

  if (wanted.size <= FEW) {
    await Promise.all([...wanted.keys()].map((id) => take(ranges.writes(state.key, namespace, id))));
    return wanted;
  }
  const [first, last] = extremes(checkpoints);
  const keys = await store.getAllKeys(ranges.writesOfIds(state.key, namespace, first, last));
  await Promise.all(stretches(keys, wanted).map(([from, to]) => take(ranges.writesBetween(from, to))));
  return wanted;
}

function extremes(ids: readonly CheckpointId[]): [CheckpointId, CheckpointId] {
  let [first, last] = [ids[0]!, ids[0]!];
  for (const id of ids) {
    if (id < first) first = id;
    if (id > last) last = id;
  }
  return [first, last];
}

/** The first and last keys of stretches of wanted rows. */
function stretches(keys: readonly WritesKey[], wanted: ReadonlyMap<CheckpointId, unknown>): [WritesKey, WritesKey][] {
  const found: { from: number; to: number }[] = [];
  for (const [index, key] of keys.entries()) {
    if (!wanted.has(key[2])) continue;
    const last = found.at(-1);
    if (last !== undefined && index - last.to <= GAP && index - last.from < PAGE) last.to = index;
    else found.push({ from: index, to: index });
  }
  return found.map(({ from, to }) => [keys[from]!, keys[to]!]);
}
