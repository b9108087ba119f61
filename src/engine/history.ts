import type { Reading } from "../idb/index.ts";
import { Gather } from "./gather.ts";
import { readWrites, type TaskWrites } from "./read-writes.ts";
import { type Ref, refOf } from "./rows.ts";
import type { ThreadState } from "./thread.ts";
import { newest, storedWrites } from "./tuples.ts";
import type { HistoryReply, HistoryRequest } from "./types.ts";
import { ancestors } from "./walk.ts";

/**
 * What a checkpoint's channels were made of: for each the nearest stored value among its ancestors, and the writes since.
 * The checkpoint's own writes belong to the next step, and are not in it; those of the ancestor with the seed are.
 */
export async function history(tx: Reading, state: ThreadState, { namespace, id, channels }: HistoryRequest): Promise<HistoryReply> {
  const target = id ?? (await newest(tx, state, namespace));
  const path = target === undefined ? [] : await ancestors(tx, state, namespace, target, channels);
  const writes = await readWrites(
    tx,
    state,
    namespace,
    path.map((ancestor) => ancestor.id),
  );
  const seeds: { channel: HistoryRequest["channels"][number]; ref: Ref }[] = [];
  const steps: TaskWrites[][] = [];
  for (const ancestor of path.reverse()) {
    if (ancestor.seeds.length > 0) {
      const row = await state.checkpoint(tx, namespace, ancestor.id);
      for (const channel of ancestor.seeds) {
        const ref = row && refOf(row, channel);
        if (ref !== undefined) seeds.push({ channel, ref });
      }
    }
    const tasks = writes.get(ancestor.id) ?? [];
    steps.push(tasks.map(({ task, writes }) => ({ task, writes: writes.filter(({ channel }) => ancestor.open.has(channel)) })));
  }
  const gather = new Gather();
  for (const { channel, ref } of seeds) gather.want(state, namespace, channel, ref);
  for (const tasks of steps) {
    for (const { writes } of tasks) for (const { channel, ref } of writes) gather.want(state, namespace, channel, ref);
  }
  await gather.load(tx);
  return {
    seeds: seeds.map(({ channel, ref }) => ({ channel, value: gather.value(state, namespace, channel, ref) })),
    steps: steps.map((tasks) => tasks.flatMap((task) => storedWrites(gather, state, namespace, task))),
    runs: gather.runs,
  };
}
