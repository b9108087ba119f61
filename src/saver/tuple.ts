import type { Checkpoint, CheckpointMetadata, CheckpointPendingWrite, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import type { StoredTuple, StoredWrite } from "../engine/index.ts";
import type { Decoder } from "../threads/decoder.ts";
import { timestampOf } from "../threads/head.ts";

export async function tupleOf(decoder: Decoder, stored: StoredTuple): Promise<CheckpointTuple> {
  const { thread, namespace, id, parent, channels } = stored;
  const head = await decoder.head<CheckpointMetadata>(stored.head);
  const values = await Promise.all(channels.map(({ value }) => (value === undefined ? undefined : decoder.value(value))));
  const checkpoint: Checkpoint = {
    v: head.v,
    id,
    ts: timestampOf(head),
    channel_values: fromEntries(channels.flatMap(({ name, value }, index) => (value === undefined ? [] : [[name, values[index]]]))),
    channel_versions: fromEntries(channels.flatMap(({ name, version }) => (version === undefined ? [] : [[name, version]]))),
    versions_seen: head.seen,
  };
  return {
    config: configOf(thread, namespace, id),
    checkpoint,
    metadata: head.metadata,
    pendingWrites: await writesOf(decoder, stored.writes),
    ...(parent === undefined ? {} : { parentConfig: configOf(thread, namespace, parent) }),
  };
}

export async function writesOf(decoder: Decoder, writes: readonly StoredWrite[]): Promise<CheckpointPendingWrite[]> {
  return (await decoder.writes(writes)).map(({ task, channel, value }): CheckpointPendingWrite => [task, channel, value]);
}

export function configOf(thread: string, namespace: string, id: string): { configurable: Record<string, string> } {
  return { configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id } };
}

/** A channel may be called `__proto__`: then too it is a key like any other. */
function fromEntries<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries);
}
