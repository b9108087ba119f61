import { type CheckpointPendingWrite, type CheckpointTuple, maxChannelVersion, TASKS } from "@langchain/langgraph-checkpoint";
import { nextVersion } from "../threads/next-version.ts";

/** Until version 4 of the format the sends of a step were kept as writes of the parent, and not as a channel. */
export function isBeforeSends({ checkpoint, parentConfig }: CheckpointTuple): boolean {
  return checkpoint.v < 4 && parentConfig !== undefined;
}

export function withPendingSends(
  tuple: CheckpointTuple,
  parentWrites: readonly CheckpointPendingWrite[],
): CheckpointTuple {
  const { checkpoint } = tuple;
  const versions = Object.values(checkpoint.channel_versions);
  const sends = parentWrites.filter(([, channel]) => channel === TASKS).map(([, , value]) => value);
  checkpoint.channel_values[TASKS] = sends;
  checkpoint.channel_versions[TASKS] = versions.length > 0 ? maxChannelVersion(...versions) : nextVersion(undefined);
  return tuple;
}
