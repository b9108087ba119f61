import { DamagedError } from "../errors/index.ts";
import { type Channel, type CheckpointId, ranges, type Reading } from "../idb/index.ts";
import { channelOf, type CheckpointRow } from "./checkpoint-row.ts";
import type { Place } from "./journal.ts";
import type { NamespaceState } from "./namespace.ts";

/** One ancestor, and the channels whose walk goes through it. */
export interface Ancestor extends Place {
  /** Channels that have not met a stored value below this ancestor. */
  readonly open: ReadonlySet<Channel>;
  /** Those of them that this ancestor stores a value of: their walk ends here. */
  readonly seeds: readonly Channel[];
}

export interface Walk {
  readonly path: Ancestor[];
  /** The checkpoint whose past goes on where the path ends, and the channels that still have no stored value there. */
  readonly past?: { readonly of: CheckpointId; readonly open: ReadonlySet<Channel> };
}

interface Found {
  readonly id: CheckpointId;
  readonly row: CheckpointRow;
}

/**
 * The ancestors of a checkpoint, nearest first, as far as some channel has no stored value yet. A row says where on its
 * branch the nearest stored value of each channel is; the ids on the way there are keys of an index. Where a branch starts,
 * or has a gap in its depths, the walk goes on at the row's parent by id, and it ends where there is none or where it has been;
 * or at a row that has a past of its own, since its ancestors were removed.
 */
export async function ancestors(tx: Reading, space: NamespaceState, id: CheckpointId, channels: readonly Channel[]): Promise<Walk> {
  const path: Ancestor[] = [];
  let open: ReadonlySet<Channel> = new Set(channels);
  const visited = new Set<CheckpointId>([id]);
  const start = await space.checkpoint(tx, id);
  let last: Found | undefined = start && { id, row: start };
  while (last !== undefined && open.size > 0) {
    if (last.row.past !== undefined) return { path, past: { of: last.id, open } };
    const next = last.row.parent;
    const row = next === undefined || visited.has(next) ? undefined : await space.checkpoint(tx, next);
    if (row === undefined) break;
    const nearest = new Map([...open].map((channel) => [channel, nearestStored(row, channel)]));
    const stretch = await stretchBelow(tx, space, row, Math.min(...nearest.values()));
    for (const [offset, ancestor] of stretch.ids.entries()) {
      if (open.size === 0 || visited.has(ancestor)) return { path };
      visited.add(ancestor);
      const depth = row.depth - offset;
      const seeds = [...open].filter((channel) => nearest.get(channel) === depth);
      path.push({ id: ancestor, branch: row.branch, depth, open, seeds });
      if (seeds.length > 0) open = new Set([...open].filter((channel) => !seeds.includes(channel)));
    }
    last = stretch.last;
  }
  return { path };
}

/** The depth of the nearest stored value of a channel at or before a place on its branch, or -1. */
export function nearestStored(row: CheckpointRow, name: Channel): number {
  const channel = channelOf(row, name);
  return channel?.ref === undefined ? (channel?.nearest ?? -1) : row.depth;
}

/** The ids from a place on a branch down to `least`, or to where the branch starts or has a gap; `last` is the one there. */
async function stretchBelow(
  tx: Reading,
  space: NamespaceState,
  { branch, depth }: CheckpointRow,
  least: number,
): Promise<{ ids: CheckpointId[]; last: Found }> {
  let ids = [...(await space.idsBetween(tx, branch, Math.max(least, 0), depth))];
  const damaged = () => new DamagedError({ store: "checkpoints", key: JSON.stringify([space.thread, space.name, branch, depth]) });
  const found = async (id: CheckpointId | undefined): Promise<Found> => {
    const row = id === undefined ? undefined : await space.checkpoint(tx, id);
    if (id === undefined || row === undefined) throw damaged();
    return { id, row };
  };
  let last = await found(ids[0]);
  if (depth - last.row.depth + 1 !== ids.length) {
    ids = ids.slice(-(await unbroken(tx, space, branch, depth)));
    last = await found(ids[0]);
  }
  return { ids: ids.reverse(), last };
}

/** How many checkpoints lie below a place on a branch without a gap, itself included. */
async function unbroken(tx: Reading, space: NamespaceState, branch: CheckpointRow["branch"], depth: number): Promise<number> {
  const lineage = tx.objectStore("checkpoints").index("lineage");
  let count = 0;
  let cursor = await lineage.openKeyCursor(ranges.lineage(space.thread, space.name, branch, 0, depth), "prev");
  while (cursor !== null && cursor.key[3] === depth - count) {
    count++;
    cursor = await cursor.continue();
  }
  return count;
}
