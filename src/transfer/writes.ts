import { type CheckpointPendingWrite, type CheckpointTuple, type PendingWrite, WRITES_IDX_MAP } from "@langchain/langgraph-checkpoint";
import { equal } from "../channels/equal.ts";
import type { Place, Side } from "./side.ts";

/** What a task wrote: the regular writes, of which the first stay, and the special ones, of which the last do. */
interface TaskWrites {
  readonly regular: PendingWrite[];
  readonly special: PendingWrite[];
}

/**
 * Adds to a checkpoint of the other side the writes that it lacks, and counts them. Where they stand among those of other tasks is all that can be
 * seen of a task's path: so that is what is given as its path.
 */
export async function addWrites(target: Side, place: Place, { pendingWrites = [] }: CheckpointTuple, there: readonly CheckpointPendingWrite[]): Promise<number> {
  const present = byTask(there);
  let added = 0;
  for (const [position, [task, { regular, special }]] of [...byTask(pendingWrites)].entries()) {
    const known = present.get(task) ?? { regular: [], special: [] };
    const batches = [known.regular.length < regular.length ? regular : [], await differing(target, place, special, known.special)];
    for (const writes of batches.filter(({ length }) => length > 0)) {
      await target.putWrites(place, writes, task, String(position).padStart(10, "0"));
      added += writes.length;
    }
  }
  return added;
}

/** The channels, of these, to which the two sides have other writes on a checkpoint, or in another order. */
export async function disagreements(target: Side, place: Place, channels: readonly string[], here: CheckpointTuple, there: CheckpointTuple): Promise<string[]> {
  const found: string[] = [];
  for (const channel of channels) {
    const [ours, theirs] = [here, there].map(({ pendingWrites = [] }) => pendingWrites.filter(([, name]) => name === channel)) as [CheckpointPendingWrite[], CheckpointPendingWrite[]];
    const tasks = ours.length === theirs.length && ours.every(([task], index) => task === theirs[index]![0]);
    if (!tasks || !(await alike(target, place, ours.map(valueOf), theirs.map(valueOf)))) found.push(channel);
  }
  return found;
}

/** Whether two values are the same once the other side has kept them: what its serializer loses does not count. */
export async function alike(target: Side, place: Place, one: unknown, other: unknown): Promise<boolean> {
  return equal(one, other) || equal(await target.kept(place, one), await target.kept(place, other));
}

async function differing(target: Side, place: Place, writes: PendingWrite[], known: readonly PendingWrite[]): Promise<PendingWrite[]> {
  const values = new Map(known);
  const found: PendingWrite[] = [];
  for (const write of writes) {
    const [channel, value] = write;
    if (!values.has(channel) || !(await alike(target, place, value, values.get(channel)))) found.push(write);
  }
  return found;
}

function byTask(writes: readonly CheckpointPendingWrite[]): Map<string, TaskWrites> {
  const tasks = new Map<string, TaskWrites>();
  for (const [task, channel, value] of writes) {
    const { regular, special } = tasks.get(task) ?? tasks.set(task, { regular: [], special: [] }).get(task)!;
    (Object.hasOwn(WRITES_IDX_MAP, channel) ? special : regular).push([channel, value]);
  }
  return tasks;
}

const valueOf = ([, , value]: CheckpointPendingWrite): unknown => value;
