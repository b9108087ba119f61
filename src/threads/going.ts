import type { CheckpointId, Namespace } from "../idb/index.ts";
import type { RetentionPolicy } from "./retention.ts";
import type { Surveyed } from "./survey.ts";

/** Checkpoints to remove, by namespace; newest first. */
export type Going = ReadonlyMap<Namespace, readonly CheckpointId[]>;

/** What goes of a thread by a policy. */
export function goingBy({ keepLast, keepFor, keepTips = true }: RetentionPolicy, checkpoints: readonly Surveyed[], now: number): Going {
  if (keepLast === undefined && keepFor === undefined) return new Map();
  const spaces = byNamespace(checkpoints);
  const staying = new Map<string, ReadonlySet<CheckpointId>>();
  // Parents before subgraphs.
  for (const namespace of [...spaces.keys()].sort((a, b) => a.length - b.length)) {
    const all = spaces.get(namespace)!;
    const parents = new Set(all.map(({ parent }) => parent));
    const isKept = ({ id, time }: Surveyed, rank: number) =>
      rank === 0 || rank < (keepLast ?? 0) || (keepFor !== undefined && !(time < now - keepFor)) || (keepTips && !parents.has(id));
    const isLeft = (checkpoint: Surveyed) => !isOrphan(checkpoint, spaces, staying);
    staying.set(namespace, new Set(all.filter((each, rank) => isKept(each, rank) && isLeft(each)).map(({ id }) => id)));
  }
  return goingWhere(checkpoints, ({ namespace, id }) => !staying.get(namespace)!.has(id));
}

/** All but the newest of each namespace. */
export function goingButLatest(checkpoints: readonly Surveyed[]): Going {
  return new Map([...byNamespace(checkpoints)].map(([namespace, [, ...older]]) => [namespace, older.map(({ id }) => id)]));
}

/** What goes of a thread, by a test of each checkpoint. */
export function goingWhere(checkpoints: readonly Surveyed[], goes: (checkpoint: Surveyed) => boolean): Going {
  const going = [...byNamespace(checkpoints.filter(goes))].map(([namespace, all]) => [namespace, all.map(({ id }) => id)] as const);
  return new Map(going);
}

/**
 * A subgraph that runs anew in each task has a namespace for each, named by the task. What it holds is of use as long as the
 * checkpoint is there that the task ran on, which its metadata names.
 */
function isOrphan({ namespace, metadata }: Surveyed, spaces: ReadonlyMap<string, readonly Surveyed[]>, staying: ReadonlyMap<string, ReadonlySet<CheckpointId>>): boolean {
  const path = namespace.split("|");
  if (!path.at(-1)!.includes(":")) return false;
  const above = path.slice(0, -1).join("|");
  const ranOn = (metadata["parents"] as Record<string, CheckpointId> | undefined)?.[above];
  const newest = spaces.get(above)?.[0];
  return ranOn !== undefined && newest !== undefined && ranOn < newest.id && staying.get(above)?.has(ranOn) !== true;
}

function byNamespace(checkpoints: readonly Surveyed[]): Map<Namespace, Surveyed[]> {
  const spaces = new Map<Namespace, Surveyed[]>();
  for (const each of [...checkpoints].sort((a, b) => (a.id < b.id ? 1 : -1))) {
    const space = spaces.get(each.namespace);
    if (space === undefined) spaces.set(each.namespace, [each]);
    else space.push(each);
  }
  return spaces;
}
