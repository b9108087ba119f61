import { InvalidUpdateError } from "../errors/index.ts";
import type { ChannelDefinition } from "./definition.ts";
import { overwriteOf } from "./overwrite.ts";

/** A stored value, if there is one: an absent value is not `undefined`, which can be stored. */
export type Seed = { readonly value: unknown } | undefined;

/** The value of a channel at a checkpoint that stores it, or stores nothing of it. */
function restored(channel: ChannelDefinition, seed: Seed): unknown {
  return seed === undefined ? channel.initial() : seed.value;
}

/**
 * What one step makes of a channel's value.
 *
 * @throws InvalidUpdateError for two overwrites, or for a second write to a channel that has one value
 */
export function step(name: string, channel: ChannelDefinition, before: Seed, writes: readonly unknown[]): unknown {
  if (channel.kind === "last") {
    if (writes.length > 1) throw new InvalidUpdateError({ channel: name, reason: "takes one write a step" });
    return writes[0];
  }
  const overwrites = writes.flatMap((write) => overwriteOf(write) ?? []);
  if (overwrites.length > 1) throw new InvalidUpdateError({ channel: name, reason: "takes one Overwrite a step" });
  const [overwrite] = overwrites;
  if (overwrite !== undefined) return overwrite.value ?? channel.initial();
  return reduced(channel, restored(channel, before), writes);
}

/** Replays the writes since a stored value, oldest first; the last overwrite among them is where it begins. */
export function replay(channel: ChannelDefinition, seed: Seed, writes: readonly unknown[]): unknown {
  const last = writes.findLastIndex((write) => overwriteOf(write) !== undefined);
  if (last < 0) return reduced(channel, restored(channel, seed), writes);
  return reduced(channel, overwriteOf(writes[last])?.value ?? channel.initial(), writes.slice(last + 1));
}

function reduced(channel: ChannelDefinition, state: unknown, writes: readonly unknown[]): unknown {
  if (writes.length === 0) return state;
  switch (channel.kind) {
    case "delta":
      return channel.reducer(state, writes);
    case "aggregate":
      return writes.reduce((value, write) => channel.reducer(value, write), state);
    case "last":
      return writes.at(-1);
  }
}
