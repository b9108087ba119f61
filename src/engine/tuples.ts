import type { CheckpointId, Reading, TaskId } from "../idb/index.ts";
import type { CheckpointRow } from "./checkpoint-row.ts";
import { Gather } from "./gather.ts";
import type { NamespaceState } from "./namespace.ts";
import type { ThreadState } from "./thread.ts";
import type { StoredTuple, TuplesReply } from "./types.ts";
import type { Write, Writes } from "./writes-row.ts";

export interface Wanted {
  readonly state: ThreadState;
  readonly space: NamespaceState;
  readonly id: CheckpointId;
}

interface Found extends Wanted {
  readonly row: CheckpointRow;
}

/** Whole checkpoints with their pending writes, in the order asked for; the ones that do not exist are left out. */
export async function tuples(tx: Reading, wanted: readonly Wanted[]): Promise<TuplesReply> {
  const found = await find(tx, wanted);
  const gather = new Gather();
  for (const { space, row } of found) for (const { name, ref } of row.channels) gather.want(space, name, ref);
  const [written] = await Promise.all([writesOf(tx, found), gather.fetch(tx)]);
  for (const [{ space }, writes] of written) for (const [, { channel, ref }] of writes) gather.want(space, channel, ref);
  await gather.load(tx);
  return {
    tuples: written.map(([{ state, space, id, row }, writes]): StoredTuple => ({
      thread: state.id,
      namespace: space.name,
      id,
      ...(row.parent === undefined ? {} : { parent: row.parent }),
      head: row.head.slice(),
      channels: row.channels.map(({ name, version, ref }) => ({
        name,
        ...(version === undefined ? {} : { version }),
        ...(ref === undefined ? {} : { value: gather.value(space, name, ref) }),
      })),
      writes: gather.writes(space, [writes]),
    })),
    runs: gather.runs,
  };
}

async function find(tx: Reading, wanted: readonly Wanted[]): Promise<Found[]> {
  const rows = new Map<NamespaceState, ReadonlyMap<CheckpointId, CheckpointRow>>();
  await Promise.all(
    [...bySpace(wanted)].map(async ([space, of]) => {
      rows.set(space, await space.checkpoints(tx, of.map(({ id }) => id)));
    }),
  );
  return wanted.flatMap((each) => {
    const row = rows.get(each.space)?.get(each.id);
    return row === undefined ? [] : { ...each, row };
  });
}

/** What was written on each. */
async function writesOf(tx: Reading, found: readonly Found[]): Promise<(readonly [Found, readonly (readonly [TaskId, Write])[]])[]> {
  const written = new Map<NamespaceState, ReadonlyMap<CheckpointId, Writes>>();
  await Promise.all(
    [...bySpace(found)].map(async ([space, of]) => {
      written.set(space, await space.journal.read(tx, of.map(({ id, row: { branch, depth } }) => ({ id, branch, depth }))));
    }),
  );
  return found.map((each) => {
    const tasks = [...(written.get(each.space)?.get(each.id) ?? [])];
    return [each, tasks.flatMap(([task, writes]) => writes.map((write) => [task, write] as const))] as const;
  });
}

function bySpace<T extends Wanted>(all: readonly T[]): Map<NamespaceState, T[]> {
  const spaces = new Map<NamespaceState, T[]>();
  for (const each of all) spaces.set(each.space, [...(spaces.get(each.space) ?? []), each]);
  return spaces;
}
