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
  readonly writes: readonly (readonly [TaskId, Write])[];
}

/** Whole checkpoints with their pending writes, in the order asked for; the ones that do not exist are left out. */
export async function tuples(tx: Reading, wanted: readonly Wanted[]): Promise<TuplesReply> {
  const found = await find(tx, wanted);
  const gather = new Gather();
  for (const { space, row, writes } of found) {
    for (const { name, ref } of row.channels) gather.want(space, name, ref);
    for (const [, { channel, ref }] of writes) gather.want(space, channel, ref);
  }
  await gather.load(tx);
  return {
    tuples: found.map(({ state, space, id, row, writes }): StoredTuple => ({
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
  const bySpace = new Map<NamespaceState, CheckpointId[]>();
  for (const { space, id } of wanted) bySpace.set(space, [...(bySpace.get(space) ?? []), id]);
  const rows = new Map<NamespaceState, { rows: Map<CheckpointId, CheckpointRow>; writes: Map<CheckpointId, Writes> }>();
  await Promise.all(
    [...bySpace].map(async ([space, ids]) => {
      const found = await space.checkpoints(tx, ids);
      const places = [...found].map(([id, { branch, depth }]) => ({ id, branch, depth }));
      rows.set(space, { rows: found, writes: await space.journal.read(tx, places) });
    }),
  );
  return wanted.flatMap((each) => {
    const row = rows.get(each.space)?.rows.get(each.id);
    const writes = [...(rows.get(each.space)?.writes.get(each.id) ?? [])];
    return row === undefined ? [] : [{ ...each, row, writes: writes.flatMap(([task, of]) => of.map((write) => [task, write] as const)) }];
  });
}
