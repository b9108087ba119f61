import { DamagedError } from "../errors/index.ts";
import { type Branch, type Channel, type CheckpointId, type Namespace, ranges, type Reading } from "../idb/index.ts";
import { type CheckpointRow, refOf } from "./rows.ts";
import type { ThreadState } from "./thread.ts";

/** One ancestor, and the channels whose walk goes through it. */
export interface Ancestor {
  readonly id: CheckpointId;
  /** Channels that have not met a stored value below this ancestor. */
  readonly open: ReadonlySet<Channel>;
  /** Those of them that this ancestor stores a value of: their walk ends here. */
  readonly seeds: readonly Channel[];
}

/**
 * The ancestors of a checkpoint, nearest first, as far as some channel has no stored value yet. Reads keys only: for each
 * stretch of a branch the ids in it and the nearest stored value of each channel. Where a branch starts, or where there is
 * a gap in its depths, the walk goes on at the row's parent by id, and it ends where there is none or where it has been.
 */
export async function ancestors(
  tx: Reading,
  state: ThreadState,
  namespace: Namespace,
  id: CheckpointId,
  channels: readonly Channel[],
): Promise<Ancestor[]> {
  const path: Ancestor[] = [];
  const open = new Set(channels);
  const visited = new Set<CheckpointId>([id]);
  let next = (await state.checkpoint(tx, namespace, id))?.parent;
  while (next !== undefined && open.size > 0 && !visited.has(next)) {
    const row = await state.checkpoint(tx, namespace, next);
    if (row === undefined) break;
    const nearest = await nearestStored(tx, state, namespace, row, [...open]);
    const stretch = await stretchBelow(tx, state, namespace, row, Math.min(...nearest.values()));
    for (const [offset, ancestor] of stretch.ids.entries()) {
      if (open.size === 0 || visited.has(ancestor)) return path;
      visited.add(ancestor);
      const seeds = [...open].filter((channel) => nearest.get(channel) === row.depth - offset);
      path.push({ id: ancestor, open: new Set(open), seeds });
      for (const channel of seeds) open.delete(channel);
    }
    next = stretch.next;
  }
  return path;
}

/** For each channel the depth of its nearest stored value at or above a place on its branch, or -1. */
async function nearestStored(
  tx: Reading,
  state: ThreadState,
  namespace: Namespace,
  row: CheckpointRow,
  channels: readonly Channel[],
): Promise<Map<Channel, number>> {
  const stored = tx.objectStore("checkpoints").index("stored");
  const found = await Promise.all(
    channels.map(async (channel): Promise<[Channel, number]> => {
      if (refOf(row, channel) !== undefined) return [channel, row.depth];
      const cursor = await stored.openKeyCursor(ranges.storedUpTo(state.key, namespace, channel, row.branch, row.depth), "prev");
      return [channel, cursor === null ? -1 : cursor.key[4]];
    }),
  );
  return new Map(found);
}

/** The ids from a place on a branch down to `least`, or to where the branch starts or has a gap; `next` is the parent there. */
async function stretchBelow(
  tx: Reading,
  state: ThreadState,
  namespace: Namespace,
  { branch, depth }: CheckpointRow,
  least: number,
): Promise<{ ids: CheckpointId[]; next: CheckpointId | undefined }> {
  const lineage = tx.objectStore("checkpoints").index("lineage");
  const keys = await lineage.getAllKeys(ranges.lineage(state.key, namespace, branch, Math.max(least, 0), depth));
  let ids = keys.map((key) => key[2]);
  if (ids.length === 0) throw new DamagedError({ store: "checkpoints", key: JSON.stringify([state.key, namespace, branch, depth]) });
  let last = (await state.checkpoint(tx, namespace, ids[0]!))!;
  if (depth - last.depth + 1 !== ids.length) {
    ids = ids.slice(-(await unbroken(tx, state, namespace, branch, depth)));
    last = (await state.checkpoint(tx, namespace, ids[0]!))!;
  }
  return { ids: ids.reverse(), next: last.parent };
}

/** How many checkpoints lie below a place on a branch without a gap, itself included. */
async function unbroken(tx: Reading, state: ThreadState, namespace: Namespace, branch: Branch, depth: number): Promise<number> {
  const lineage = tx.objectStore("checkpoints").index("lineage");
  let count = 0;
  let cursor = await lineage.openKeyCursor(ranges.lineage(state.key, namespace, branch, 0, depth), "prev");
  while (cursor !== null && cursor.key[3] === depth - count) {
    count++;
    cursor = await cursor.continue();
  }
  return count;
}

/** The branches that the path of a branch runs through, nearest first. */
export async function branchesOf(tx: Reading, state: ThreadState, namespace: Namespace, branch: Branch): Promise<Branch[]> {
  const branches = new Set<Branch>();
  for (let next: Branch | undefined = branch; next !== undefined && !branches.has(next); ) {
    branches.add(next);
    const parent: CheckpointId | undefined = (await state.startOf(tx, namespace, next))?.parent;
    next = parent === undefined ? undefined : (await state.checkpoint(tx, namespace, parent))?.branch;
  }
  return [...branches];
}
