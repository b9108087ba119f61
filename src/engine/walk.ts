import { DamagedError } from "../errors/index.ts";
import { type Channel, type CheckpointId, ranges, type Reading } from "../idb/index.ts";
import { type ChannelRow, channelOf, type CheckpointRow } from "./checkpoint-row.ts";
import type { Place } from "./journal.ts";
import type { NamespaceState } from "./namespace.ts";
import { isWrapped } from "./types.ts";

/** One ancestor, and the channels whose walk goes through it. */
export interface Ancestor extends Place {
  /** Channels that have not met a stored value below this ancestor. */
  readonly open: ReadonlySet<Channel>;
  /** Those of them that this ancestor stores a value of: their walk ends here. */
  readonly seeds: readonly Channel[];
}

/**
 * The ancestors of a checkpoint, nearest first, as far as some channel has no stored value yet. A row says where on its
 * branch the nearest stored value of each channel is; the ids on the way there are keys of an index. Where a branch starts,
 * or has a gap in its depths, the walk goes on at the row's parent by id, and it ends where there is none or where it has been.
 */
export async function ancestors(tx: Reading, space: NamespaceState, id: CheckpointId, channels: readonly Channel[]): Promise<Ancestor[]> {
  const path: Ancestor[] = [];
  let open: ReadonlySet<Channel> = new Set(channels);
  const visited = new Set<CheckpointId>([id]);
  const target = await space.checkpoint(tx, id);
  let ahead = target && readAhead(tx, space, target, channels);
  let next = target?.parent;
  while (next !== undefined && open.size > 0 && !visited.has(next)) {
    const [row] = await Promise.all([space.checkpoint(tx, next), ahead]);
    ahead = undefined;
    if (row === undefined) break;
    const nearest = new Map([...open].map((channel) => [channel, nearestStored(row, channel)]));
    const stretch = await stretchBelow(tx, space, row, Math.min(...nearest.values()));
    for (const [offset, ancestor] of stretch.ids.entries()) {
      if (open.size === 0 || visited.has(ancestor)) return path;
      visited.add(ancestor);
      const depth = row.depth - offset;
      const seeds = [...open].filter((channel) => nearest.get(channel) === depth);
      path.push({ id: ancestor, branch: row.branch, depth, open, seeds });
      if (seeds.length > 0) open = new Set([...open].filter((channel) => !seeds.includes(channel)));
    }
    next = open.size === 0 ? undefined : (await stretch.last()).parent;
  }
  return path;
}

/** Mostly the parent is the one before on the branch: then the next requests are for the ids and the packed writes from there on. */
async function readAhead(tx: Reading, space: NamespaceState, target: CheckpointRow, channels: readonly Channel[]): Promise<void> {
  const { branch, depth } = target;
  const least = Math.max(0, Math.min(...channels.map((channel) => nearestStored(target, channel))));
  if (least >= depth) return;
  // Who needs what cannot be read is told.
  await Promise.allSettled([space.idsBetween(tx, branch, least, depth - 1), space.journal.readBlocks(tx, branch, least, depth - 1)]);
}

/** The depth of the nearest stored value of a channel at or before a place on its branch, or -1. */
function nearestStored(row: CheckpointRow, name: Channel): number {
  return linkTo(row, name).nearest ?? -1;
}

export type Link = Pick<ChannelRow, "nearest" | "isSnapshot">;

/** What the checkpoint after this one on the branch says of a channel that it holds no value of. */
export function linkTo(row: CheckpointRow, name: Channel): Link {
  const { ref, nearest, isSnapshot = false } = channelOf(row, name) ?? {};
  if (ref !== undefined) return { nearest: row.depth, isSnapshot: isWrapped(ref.shape) };
  return nearest === undefined ? {} : { nearest, isSnapshot };
}

/** The ids from a place on a branch down to `least`, or to where the branch starts or has a gap; and the row of the last of them. */
async function stretchBelow(
  tx: Reading,
  space: NamespaceState,
  { branch, depth }: CheckpointRow,
  least: number,
): Promise<{ ids: CheckpointId[]; last: () => Promise<CheckpointRow> }> {
  const to = Math.max(least, 0);
  let ids = [...(await space.idsBetween(tx, branch, to, depth))];
  if (ids.length !== depth - to + 1) ids = ids.slice(ids.length - (await unbroken(tx, space, branch, depth)));
  const [lowest] = ids;
  const last = async () => {
    const row = lowest === undefined ? undefined : await space.checkpoint(tx, lowest);
    if (row === undefined) throw new DamagedError({ store: "checkpoints", key: JSON.stringify([space.thread, space.name, branch, depth]) });
    return row;
  };
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
