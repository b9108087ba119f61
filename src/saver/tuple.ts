import type { Checkpoint, CheckpointMetadata, CheckpointPendingWrite, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import type { StoredTuple, StoredWrites } from "../engine/index.ts";
import type { Decoder } from "../threads/decoder.ts";
import { timestampOf } from "../threads/head.ts";

export async function tupleOf(decoder: Decoder, stored: StoredTuple): Promise<CheckpointTuple> {
  const { thread, namespace, id, parent, channels } = stored;
  const head = await decoder.head<CheckpointMetadata>(stored.head);
  const values: [string, unknown][] = [];
  for (const { name, value } of channels) if (value !== undefined) values.push([name, await decoder.value(value)]);
  const [pendingWrites = []] = await writesOf(decoder, stored.writes);
  const checkpoint: Checkpoint = {
    v: head.v,
    id,
    ts: timestampOf(head),
    channel_values: fromEntries(values),
    channel_versions: fromEntries(channels.flatMap(({ name, version }) => (version === undefined ? [] : [[name, version]]))),
    versions_seen: head.seen,
  };
  return {
    config: configOf(thread, namespace, id),
    checkpoint,
    metadata: head.metadata,
    pendingWrites,
    ...(parent === undefined ? {} : { parentConfig: configOf(thread, namespace, parent) }),
  };
}

/** The writes of each step, in the order in which a superstep applies them. */
export async function writesOf(decoder: Decoder, writes: StoredWrites): Promise<CheckpointPendingWrite[][]> {
  const steps = await decoder.writes(writes);
  return steps.map((step) => step.map(({ task, channel, value }): CheckpointPendingWrite => [task, channel, value]));
}

export function configOf(thread: string, namespace: string, id: string): { configurable: Record<string, string> } {
  return { configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id } };
}

/** A channel may be called `__proto__`: then too it is a key like any other. */
function fromEntries<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries);
}
