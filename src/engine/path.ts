import { type CheckpointId, idOf, ranges, type Reading, type TaskId } from "../idb/index.ts";
import type { CheckpointRow } from "./checkpoint-row.ts";
import { Gather } from "./gather.ts";
import type { NamespaceState } from "./namespace.ts";
import type { PathReply, PathRequest } from "./thread-types.ts";
import { WRAPPED } from "./types.ts";
import type { Write, Writes } from "./writes-row.ts";

interface Step {
  readonly id: CheckpointId;
  readonly row: CheckpointRow;
}

/** One page of the path back from a checkpoint, with the writes that led to each. */
export async function readPath(tx: Reading, space: NamespaceState, { id, limit }: PathRequest): Promise<PathReply> {
  const steps: Step[] = [];
  let next = id ?? (await space.newest(tx));
  while (next !== undefined && steps.length < limit && !steps.some((step) => step.id === next)) {
    const stretch = await stretchBelow(tx, space, next, limit - steps.length);
    steps.push(...stretch);
    next = stretch.at(-1)?.row.parent;
  }
  const parents = await space.checkpoints(tx, steps.flatMap(({ row }) => row.parent ?? []));
  const under = await space.journal.read(tx, [...parents].map(([parent, { branch, depth }]) => ({ id: parent, branch, depth })));
  const gather = new Gather();
  const leading = await Promise.all(steps.map((step) => leadingTo(tx, space, step, under)));
  for (const writes of leading) for (const [, { channel, ref }] of writes) gather.want(space, channel, ref);
  await gather.load(tx);
  return {
    steps: steps.map(({ id: step, row }) => ({
      id: step,
      ...(row.parent === undefined ? {} : { parent: row.parent }),
      head: row.head.slice(),
      versions: row.channels.map(({ name, version }) => ({ name, ...(version === undefined ? {} : { version }) })),
    })),
    writes: gather.writes(space, leading),
    ...(next === undefined ? {} : { next }),
    runs: gather.runs,
  };
}

/** A checkpoint and those before it on its branch, as far as each is the parent of the next. */
async function stretchBelow(tx: Reading, space: NamespaceState, id: CheckpointId, limit: number): Promise<Step[]> {
  const row = await space.checkpoint(tx, id);
  if (row === undefined) return [];
  const range = ranges.lineage(space.thread, space.name, row.branch, Math.max(0, row.depth - limit + 1), row.depth);
  const found = await tx.objectStore("checkpoints").index("lineage").getAllKeys(range);
  const ids = found.map((key) => idOf<CheckpointId>(key[2])).reverse();
  const rows = await space.checkpoints(tx, ids);
  const steps: Step[] = [{ id, row }];
  for (let at = 1; at < ids.length && steps.at(-1)!.row.parent === ids[at]; at++) steps.push({ id: ids[at]!, row: rows.get(ids[at]!)! });
  return steps;
}

/**
 * Of the writes under its parent those that a checkpoint comes from. A step that was appended names them by its own id;
 * LangGraph does not, so for its steps they are all that are not another's. Without a parent, or if that was removed, it comes from the values it has.
 */
async function leadingTo(
  tx: Reading,
  space: NamespaceState,
  { id, row }: Step,
  under: ReadonlyMap<CheckpointId, Writes>,
): Promise<(readonly [TaskId, Write])[]> {
  if (row.parent === undefined || !under.has(row.parent)) return valuesOf(id, row);
  const tasks = [...(under.get(row.parent) ?? [])];
  const own = tasks.filter(([task]) => (task as string) === id);
  const others = await space.checkpoints(tx, own.length > 0 ? [] : tasks.map(([task]) => task as string as CheckpointId));
  const leading = own.length > 0 ? own : tasks.filter(([task]) => !others.has(task as string as CheckpointId));
  return leading.flatMap(([task, writes]) => writes.map((write) => [task, write] as const));
}

function valuesOf(id: CheckpointId, { channels }: CheckpointRow): (readonly [TaskId, Write])[] {
  return channels.flatMap(({ name, ref }, index) =>
    ref === undefined ? [] : [[id as string as TaskId, { index, channel: name, path: "", ref: { ...ref, shape: ref.shape % WRAPPED } }] as const],
  );
}
