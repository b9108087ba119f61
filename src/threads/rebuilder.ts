import { type ChannelDefinition, type Channels, VERSIONED } from "../channels/index.ts";
import { replay } from "../channels/reduce.ts";
import type { ValueCodec } from "../codec/index.ts";
import type { Counts, Engine, StateOfCheckpoint, StateReply, StateRequest } from "../engine/index.ts";
import type { Channel, CheckpointId, Namespace, ThreadId } from "../idb/index.ts";
import { Decoder } from "./decoder.ts";
import type { Head } from "./head.ts";
import type { KnownValue, StateCache } from "./state-cache.ts";

type StoredChannel = StateOfCheckpoint["channels"][number];

export interface Place {
  readonly thread: ThreadId;
  readonly namespace: Namespace;
}

/**
 * Makes the values of channels of which a checkpoint holds none, from the nearest stored value and the writes since. It
 * runs beside the engine or on the caller's side: wherever the reducers are.
 */
export class Rebuilder {
  readonly engine: Engine;
  readonly codec: ValueCodec;
  readonly cache: StateCache;

  constructor(engine: Engine, codec: ValueCodec, cache: StateCache) {
    this.engine = engine;
    this.codec = codec;
    this.cache = cache;
  }

  /** A checkpoint with the values of channels, also of those that it does not hold. */
  async state(request: StateRequest, channels: Channels, counts?: Counts): Promise<StateReply> {
    if (counts === undefined) return this.#state(request, channels);
    const [began, elsewhere] = [performance.now(), counts.storage + counts.transfer];
    const reply = await this.#state(request, channels, counts);
    counts.rebuild += performance.now() - began - (counts.storage + counts.transfer - elsewhere);
    return reply;
  }

  async #state(request: StateRequest, channels: Channels, counts?: Counts): Promise<StateReply> {
    const reply = await this.engine.state(request, counts);
    if (reply.checkpoint === undefined) return reply;
    const wanted = Object.entries(channels).filter(([name]) => request.channels?.includes(name as Channel) ?? true);
    const head = await new Decoder(this.codec, reply.runs).head(reply.checkpoint.head);
    const open = unstored(wanted, reply.checkpoint, head);
    const rebuilt = await this.values(request, reply.checkpoint, open, channels, counts);
    const held = reply.checkpoint.channels.filter(({ name }) => !rebuilt.has(name));
    const runs = [...reply.runs];
    const made: StoredChannel[] = [];
    for (const [name, { value }] of rebuilt) {
      const { shape, bytes, ends } = await this.codec.encode(value, name);
      const run = runs.push({ bytes, ends: Uint32Array.from(ends) }) - 1;
      made.push({ name: name as Channel, value: { shape, pieces: [run, 0, ends.length] } });
    }
    return { checkpoint: { ...reply.checkpoint, channels: [...held, ...made] }, runs };
  }

  /** The values of some channels that are not stored at a checkpoint. Those without any history are left out. */
  async values(
    { thread, namespace }: Place,
    checkpoint: StateOfCheckpoint,
    names: readonly string[],
    channels: Channels,
    counts?: Counts,
  ): Promise<Map<string, KnownValue>> {
    const values = new Map<string, KnownValue>();
    for (const name of names) {
      const known = this.known({ thread, namespace }, checkpoint, name);
      if (known === undefined) continue;
      values.set(name, known);
      if (counts !== undefined) countRemembered(counts, known);
    }
    const missing = names.filter((name) => !values.has(name)) as Channel[];
    if (missing.length === 0) return values;
    const { seeds, writes: stored, runs } = await this.engine.history({ thread, namespace, id: checkpoint.id, channels: missing }, counts);
    const decoder = new Decoder(this.codec, runs);
    const writes = (await decoder.writes(stored)).flat();
    const bytes = runs.reduce((sum, run) => sum + run.bytes.length, 0);
    for (const name of missing) {
      const seed = seeds.find(({ channel }) => channel === name);
      const own = writes.filter(({ channel }) => channel === name).map(({ value }) => value);
      if (seed === undefined && own.length === 0) continue;
      const value = replay(channels[name]!, seed && { value: await decoder.plainValue(seed.value) }, own);
      this.keep({ thread, namespace }, checkpoint.id, name, versionOf(checkpoint, name), { value, bytes, isList: false });
      values.set(name, { value, bytes, isList: false });
    }
    return values;
  }

  known(place: Place, checkpoint: StateOfCheckpoint, name: string): KnownValue | undefined {
    return this.cache.get(keyOf(place, checkpoint.id, name, versionOf(checkpoint, name)));
  }

  keep(place: Place, id: CheckpointId, name: string, version: number | string | undefined, known: KnownValue): void {
    this.cache.set(keyOf(place, id, name, version), known);
  }
}

function countRemembered(counts: Counts, { value }: KnownValue): void {
  const elements = Array.isArray(value) ? value.length : 1;
  counts.elements += elements;
  counts.remembered += elements;
}

export function versionOf({ channels }: StateOfCheckpoint, name: string): number | string | undefined {
  return channels.find((channel) => channel.name === name)?.version;
}

function keyOf({ thread, namespace }: Place, id: CheckpointId, name: string, version: number | string | undefined): string {
  return JSON.stringify([thread, namespace, id, name, version ?? null]);
}

/**
 * The channels whose value is not in the checkpoint but in its history. One that was written has a version, unless it was
 * written before LangGraph gave every write one. An aggregate stores each value: it has none only if it was a delta channel then.
 */
export function unstored(channels: readonly (readonly [string, ChannelDefinition])[], checkpoint: StateOfCheckpoint, { metadata }: Head): string[] {
  const held = new Map(checkpoint.channels.map((channel) => [channel.name as string, channel]));
  const isOpen = ([name, { kind }]: readonly [string, ChannelDefinition]) => {
    if (held.get(name)?.shape !== undefined || kind === "last") return false;
    return held.get(name)?.version !== undefined || (kind === "delta" && metadata[VERSIONED] !== true);
  };
  return channels.filter(isOpen).map(([name]) => name);
}
