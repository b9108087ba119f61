import { type ChannelDefinition, type Channels, delta, lastValue, type Message, messagesReducer, type MessageWrite } from "../channels/index.ts";

/** What of a channel's definition can be told to a worker: functions cannot. */
export interface ChannelSketch {
  readonly name: string;
  readonly kind: ChannelDefinition["kind"];
  /** The reducer is this package's own, and the value begins empty. */
  readonly builtIn: boolean;
  /** Of a delta channel. */
  readonly snapshotFrequency?: number;
}

export function isMessages(definition: ChannelDefinition | undefined): boolean {
  return definition?.kind === "delta" && (definition.reducer as unknown) === messagesReducer;
}

export function sketchesOf(channels: Channels): ChannelSketch[] {
  return Object.entries(channels).map(([name, definition]) => ({
    name,
    kind: definition.kind,
    builtIn: isMessages(definition) && beginsEmpty(definition.initial()),
    ...(definition.kind === "delta" ? { snapshotFrequency: definition.snapshotFrequency } : {}),
  }));
}

function beginsEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Thrown by what a sketch stands for where the application's functions are not: the work is done where they are. */
export class NotHere extends Error {}

/** The channels that sketches stand for, with the functions that are known here. */
export function channelsOf(sketches: readonly ChannelSketch[], known: Channels): Channels {
  return Object.fromEntries(sketches.map((sketch) => [sketch.name, definitionOf(sketch, Object.hasOwn(known, sketch.name) ? known[sketch.name] : undefined)]));
}

function definitionOf({ kind, builtIn, snapshotFrequency = 1 }: ChannelSketch, known: ChannelDefinition | undefined): ChannelDefinition {
  if (builtIn) return delta<Message[], MessageWrite<Message>>(messagesReducer, { snapshotFrequency });
  if (known?.kind === "delta" && kind === "delta") return { ...known, snapshotFrequency };
  if (known?.kind === kind) return known;
  switch (kind) {
    case "delta":
      return { kind, reducer: notHere, initial: notHere, snapshotFrequency };
    case "aggregate":
      return { kind, reducer: notHere, initial: notHere };
    case "last":
      return lastValue();
  }
}

function notHere(): never {
  throw new NotHere();
}
