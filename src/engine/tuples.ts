import type { CheckpointId, Namespace, Reading } from "../idb/index.ts";
import { ranges } from "../idb/index.ts";
import { Gather } from "./gather.ts";
import { type TaskWrites, readWrites } from "./read-writes.ts";
import type { CheckpointRow } from "./rows.ts";
import type { ThreadState } from "./thread.ts";
import type { StoredTuple, StoredWrite, TuplesReply } from "./types.ts";

/** The newest checkpoint of a namespace: ids sort by time. */
export async function newest(tx: Reading, state: ThreadState, namespace: Namespace): Promise<CheckpointId | undefined> {
  const cursor = await tx.objectStore("checkpoints").openKeyCursor(ranges.checkpoints(state.key, namespace), "prev");
  return cursor?.primaryKey[2];
}

export interface Wanted {
  readonly state: ThreadState;
  readonly namespace: Namespace;
  readonly id: CheckpointId;
}

/** Whole checkpoints with their pending writes, in the order asked for; the ones that do not exist are left out. */
export async function tuples(tx: Reading, wanted: readonly Wanted[]): Promise<TuplesReply> {
  const gather = new Gather();
  const found: (Wanted & { readonly row: CheckpointRow; readonly tasks: readonly TaskWrites[] })[] = [];
  await Promise.all(
    wanted.map(async (each, index) => {
      const { state, namespace, id } = each;
      const [row, writes] = await Promise.all([state.checkpoint(tx, namespace, id), readWrites(tx, state, namespace, [id])]);
      if (row !== undefined) found[index] = { ...each, row, tasks: writes.get(id) ?? [] };
    }),
  );
  for (const { state, namespace, row, tasks } of found.filter(Boolean)) {
    for (const { name, ref } of row.channels) gather.want(state, namespace, name, ref);
    for (const { writes } of tasks) for (const { channel, ref } of writes) gather.want(state, namespace, channel, ref);
  }
  await gather.load(tx);
  return {
    tuples: found.filter(Boolean).map(({ state, namespace, id, row, tasks }): StoredTuple => ({
      thread: state.id,
      namespace,
      id,
      ...(row.parent === undefined ? {} : { parent: row.parent }),
      head: row.head.slice(),
      channels: row.channels.map(({ name, version, ref }) => ({
        name,
        ...(version === undefined ? {} : { version }),
        ...(ref === undefined ? {} : { value: gather.value(state, namespace, name, ref) }),
      })),
      writes: tasks.flatMap((task) => storedWrites(gather, state, namespace, task)),
    })),
    runs: gather.runs,
  };
}

export function storedWrites(gather: Gather, state: ThreadState, namespace: Namespace, { task, writes }: TaskWrites): StoredWrite[] {
  return writes.map(({ index, channel, path, ref }) => ({
    task,
    path,
    index,
    channel,
    value: gather.value(state, namespace, channel, ref),
  }));
}
