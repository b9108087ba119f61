import { type CheckpointPendingWrite, type CheckpointTuple, type DeltaChannelHistory, DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { ReducerNeededError } from "../errors/index.ts";
import type { Place } from "./side.ts";

/** What a delta channel of a graph can do: rebuild its value from its history. */
interface Replaying {
  fromCheckpoint(seed?: unknown): { replayWrites(writes: readonly CheckpointPendingWrite[]): void; get(): unknown };
}

/** The channels of a compiled graph, `graph.channels`. Those that are not delta channels do not matter. */
export type GraphChannels = Readonly<Record<string, object>>;

/** The delta channels that a checkpoint has no value of, so that one is rebuilt from its ancestors. */
export function pendingChannels({ checkpoint, metadata }: CheckpointTuple, channels: GraphChannels): string[] {
  const counted = (metadata as { counters_since_delta_snapshot?: object } | undefined)?.counters_since_delta_snapshot ?? {};
  const known = Object.keys(checkpoint.channel_versions).filter((name) => deltaChannel(channels, name) !== undefined);
  return [...new Set([...Object.keys(counted), ...known])].filter((name) => !Object.hasOwn(checkpoint.channel_values, name));
}

/** A channel's value as the graph would rebuild it, as LangGraph stores one. */
export function rebuilt(channels: GraphChannels, channel: string, { seed, writes }: DeltaChannelHistory, { id, namespace }: Place): DeltaSnapshot {
  const delta = deltaChannel(channels, channel)?.fromCheckpoint(seed);
  if (delta === undefined) throw new ReducerNeededError({ channel, namespace, checkpoint: id });
  delta.replayWrites(writes);
  return new DeltaSnapshot(delta.get());
}

function deltaChannel(channels: GraphChannels, name: string): Replaying | undefined {
  const channel = Object.hasOwn(channels, name) ? channels[name] : undefined;
  return channel !== undefined && "replayWrites" in channel ? (channel as unknown as Replaying) : undefined;
}
