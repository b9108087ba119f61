import { DamagedError } from "../errors/index.ts";
import type { Reading, TaskId } from "../idb/index.ts";
import { channelOf } from "./checkpoint-row.ts";
import { Gather } from "./gather.ts";
import type { NamespaceState } from "./namespace.ts";
import type { Ref } from "./ref.ts";
import type { HistoryReply, HistoryRequest } from "./types.ts";
import { ancestors } from "./walk.ts";
import type { Write } from "./writes-row.ts";

/**
 * What a checkpoint's channels were made of: for each the nearest stored value among its ancestors, and the writes since.
 * The checkpoint's own writes belong to the next step, and are not in it; those of the ancestor with the seed are.
 */
export async function history(tx: Reading, space: NamespaceState, { id, channels }: HistoryRequest): Promise<HistoryReply> {
  const target = id ?? (await space.newest(tx));
  const path = target === undefined ? [] : await ancestors(tx, space, target, channels);
  const [written, rows] = await Promise.all([
    space.journal.read(tx, path),
    space.checkpoints(tx, path.filter(({ seeds }) => seeds.length > 0).map((ancestor) => ancestor.id)),
  ]);
  const gather = new Gather();
  const seeds: { channel: HistoryRequest["channels"][number]; ref: Ref }[] = [];
  const steps: (readonly [TaskId, Write])[][] = [];
  for (const ancestor of path.reverse()) {
    for (const channel of ancestor.seeds) {
      const ref = channelOf(rows.get(ancestor.id), channel)?.ref;
      if (ref === undefined) throw new DamagedError({ store: "checkpoints", key: JSON.stringify([space.thread, space.name, ancestor.id]) });
      seeds.push({ channel, ref });
    }
    const tasks = [...(written.get(ancestor.id) ?? [])];
    steps.push(tasks.flatMap(([task, writes]) => writes.filter(({ channel }) => ancestor.open.has(channel)).map((write) => [task, write] as const)));
  }
  for (const { channel, ref } of seeds) gather.want(space, channel, ref);
  for (const step of steps) for (const [, { channel, ref }] of step) gather.want(space, channel, ref);
  await gather.load(tx);
  return {
    seeds: seeds.map(({ channel, ref }) => ({ channel, value: gather.value(space, channel, ref) })),
    writes: gather.writes(space, steps),
    runs: gather.runs,
  };
}
