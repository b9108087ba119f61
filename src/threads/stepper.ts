import {
  advance, type ChannelDefinition, type Channels, COUNTERS, type Counters, isDue, migrate, overwriteOf, type Schema, SCHEMA, schemaVersionOf, type Seed, step,
  VERSIONED,
} from "../channels/index.ts";
import { type Encoded, Shape, SNAPSHOT } from "../codec/index.ts";
import type { AppendChannel, EditedValue, StateOfCheckpoint } from "../engine/index.ts";
import { ConflictError, UndefinedChannelError, UnknownCheckpointError } from "../errors/index.ts";
import type { Channel, CheckpointId, TaskId } from "../idb/index.ts";
import { nextCheckpointId } from "./checkpoint-ids.ts";
import { decodeEncoded, Decoder } from "./decoder.ts";
import { editScript } from "./edit-script.ts";
import { type Head, headOf } from "./head.ts";
import { nextVersion } from "./next-version.ts";
import { type Rebuilder, unstored, versionOf } from "./rebuilder.ts";
import { isMessages, NotHere } from "./sketch.ts";
import { copyOf, type StepRequest } from "./step-request.ts";

/** How often a step that may go on from elsewhere, or as a branch, begins again because the thread went on meanwhile. */
const ATTEMPTS = 64;

/** What is known of the checkpoint that a step is for. */
interface Parent {
  readonly checkpoint: StateOfCheckpoint;
  readonly head: Head;
}

/** Makes a checkpoint of what a step writes, as LangGraph would store it, and stores both. */
export class Stepper {
  readonly #rebuilder: Rebuilder;
  readonly #channels: Channels;
  readonly #schema: Schema;

  constructor(rebuilder: Rebuilder, channels: Channels, schema: Schema) {
    this.#rebuilder = rebuilder;
    this.#channels = channels;
    this.#schema = schema;
  }

  /** The id of the checkpoint. */
  async append(request: StepRequest): Promise<CheckpointId> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#append(request);
      } catch (error) {
        if (!(error instanceof ConflictError) || (request.parent !== undefined && request.stale === "reject") || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #append(request: StepRequest): Promise<CheckpointId> {
    const parent = await this.#parent(request);
    const written = await this.#written(request);
    const after = parent !== undefined && schemaVersionOf(parent.head.metadata) !== this.#schema.version
      ? await this.#afterMigration(request, parent, written)
      : await this.#after(request, parent, written);
    const number = Number(parent?.head.metadata["step"] ?? -1) + 1;
    const id = nextCheckpointId(parent?.checkpoint.id, number);
    const channels = await this.#stored(parent, written, after);
    const head = await this.#head(request, parent, number, written, after, channels);
    const { thread, namespace, durability } = request;
    await this.#rebuilder.engine.append({
      thread,
      namespace,
      id,
      ...(parent === undefined ? {} : { parent: parent.checkpoint.id }),
      head,
      channels,
      writes: copyOf(request.writes),
      task: id as string as TaskId,
      pending: parent?.checkpoint.pending ?? [],
      at: request.stale === "fork" ? "anywhere" : "tip",
      durability,
    });
    for (const [name, { value, bytes }] of after) {
      if (isMessages(this.#channels[name])) this.#rebuilder.keep(request, id, name, channels.find((each) => each.name === name)?.version, { value, bytes });
    }
    return id;
  }

  async #parent({ thread, namespace, parent }: StepRequest): Promise<Parent | undefined> {
    if (parent === null) return undefined;
    const { checkpoint, runs } = await this.#rebuilder.engine.state({
      thread,
      namespace,
      ...(parent === undefined ? {} : { id: parent }),
      channels: [],
      pending: true,
    });
    if (checkpoint !== undefined) return { checkpoint, head: await new Decoder(this.#rebuilder.codec, runs).head(checkpoint.head) };
    if (parent !== undefined) throw new UnknownCheckpointError({ thread, checkpoint: parent });
    return undefined;
  }

  async #written(request: StepRequest): Promise<Map<string, unknown[]>> {
    const written = new Map<string, unknown[]>();
    for (const { channel, value } of request.writes) {
      written.set(channel, [...(written.get(channel) ?? []), await decodeEncoded(this.#rebuilder.codec, value)]);
    }
    return written;
  }

  /** The values that the step stores: those it wrote, but of delta channels only those that are to be stored now. */
  async #after(request: StepRequest, parent: Parent | undefined, written: ReadonlyMap<string, unknown[]>): Promise<Map<string, After>> {
    const counters = this.#counters(parent, written);
    const pending = new Set<string>(parent?.checkpoint.pending);
    this.#requireDefined(parent, pending);
    const names = Object.entries(this.#channels).flatMap(([name, definition]) => {
      const writes = written.get(name);
      if (definition.kind !== "delta") return writes === undefined ? [] : [name];
      if (pending.has(name)) return [name];
      const isKnown = writes !== undefined || (parent !== undefined && versionOf(parent.checkpoint, name) !== undefined);
      if (!isKnown) return [];
      const isStored =
        isDue(definition, counters[name]) ||
        (writes !== undefined && (parent === undefined || request.stale === "fork" || isMessages(definition) || writes.some((write) => overwriteOf(write))));
      return isStored ? [name] : [];
    });
    const before = await this.#before(request, parent, names.filter((name) => this.#channels[name]!.kind !== "last"));
    return new Map(names.map((name) => [name, this.#stepped(name, before.get(name), written.get(name) ?? [], request)]));
  }

  /** What is pending on the parent is another step's: a delta channel among it is stored whole, and for that its reducer is needed. */
  #requireDefined(parent: Parent | undefined, pending: ReadonlySet<string>): void {
    const deltas = parent === undefined ? [] : Object.keys(countersOf(parent));
    const unknown = deltas.find((name) => pending.has(name) && !Object.hasOwn(this.#channels, name));
    if (unknown !== undefined) throw new UndefinedChannelError({ channel: unknown });
  }

  #stepped(name: string, before: Before | undefined, writes: readonly unknown[], request: StepRequest): After {
    const bytes = request.writes.reduce((sum, { channel, value }) => (channel === name ? sum + value.bytes.length : sum), before?.bytes ?? 0);
    return { value: step(name, this.#channels[name]!, before, writes), bytes, ...(before?.isList === true ? { before: before.value as unknown[] } : {}) };
  }

  /** Values of channels at the parent. */
  async #before({ thread, namespace }: StepRequest, parent: Parent | undefined, names: readonly string[]): Promise<Map<string, Before>> {
    const found = new Map<string, Before>();
    if (parent === undefined || names.length === 0) return found;
    const { checkpoint } = parent;
    const stored = new Set<string>(checkpoint.channels.filter((channel) => channel.stored).map(({ name }) => name));
    const held = names.filter((name) => stored.has(name));
    for (const name of held) {
      const known = this.#rebuilder.known({ thread, namespace }, checkpoint, name);
      if (known !== undefined) found.set(name, { ...known, isList: Array.isArray(known.value) });
    }
    const wanted = held.filter((name) => !found.has(name)) as Channel[];
    if (wanted.length > 0) {
      const reply = await this.#rebuilder.engine.state({ thread, namespace, id: checkpoint.id, channels: wanted });
      const decoder = new Decoder(this.#rebuilder.codec, reply.runs);
      const bytes = reply.runs.reduce((sum, run) => sum + run.bytes.length, 0);
      for (const { name, value } of reply.checkpoint?.channels ?? []) {
        if (value !== undefined) found.set(name, { value: await decoder.plainValue(value), bytes, isList: value.shape % SNAPSHOT === Shape.array });
      }
    }
    const open = unstored(names.map((name) => [name, this.#channels[name]!]), checkpoint, parent.head);
    for (const [name, known] of await this.#rebuilder.values({ thread, namespace }, checkpoint, open, this.#channels)) {
      found.set(name, { ...known, isList: false });
    }
    return found;
  }

  /** All values, as the migrations make them, with the step on top. */
  async #afterMigration(request: StepRequest, parent: Parent, written: ReadonlyMap<string, unknown[]>): Promise<Map<string, After>> {
    const migrated = await this.#migrated(request, parent);
    const names = Object.keys(this.#channels).filter((name) => Object.hasOwn(migrated, name) || written.has(name));
    return new Map(
      names.map((name) => {
        const before: Seed = Object.hasOwn(migrated, name) ? { value: migrated[name] } : undefined;
        const writes = written.get(name) ?? [];
        return [name, { value: writes.length === 0 ? before?.value : step(name, this.#channels[name]!, before, writes), bytes: 0 }];
      }),
    );
  }

  async #migrated({ thread, namespace }: StepRequest, { checkpoint, head }: Parent): Promise<Record<string, unknown>> {
    const version = schemaVersionOf(head.metadata);
    for (let to = version + 1; to <= this.#schema.version; to++) if (this.#schema.migrations[to] === undefined) throw new NotHere();
    const reply = await this.#rebuilder.state({ thread, namespace, id: checkpoint.id }, this.#channels);
    const decoder = new Decoder(this.#rebuilder.codec, reply.runs);
    const values: Record<string, unknown> = {};
    for (const { name, value } of reply.checkpoint?.channels ?? []) if (value !== undefined) values[name] = await decoder.plainValue(value);
    return migrate(this.#schema, values, version);
  }

  #counters(parent: Parent | undefined, written: ReadonlyMap<string, unknown>): Counters {
    if (parent === undefined) return {};
    const before = countersOf(parent);
    const others = Object.entries(before).filter(([name]) => !Object.hasOwn(this.#channels, name));
    return {
      ...Object.fromEntries(others.map(([name, [updates, steps]]) => [name, [updates, steps + 1]])),
      ...advance(this.#channels, new Set(written.keys()), before),
    };
  }

  /** Every channel of the checkpoint: those of the step, and those of the parent with what they had there. */
  async #stored(parent: Parent | undefined, written: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, After>): Promise<AppendChannel[]> {
    const earlier = (parent?.checkpoint.channels ?? []).filter(({ version }) => version !== undefined);
    const version = nextVersion(maxOf(earlier.map((channel) => channel.version)));
    const changed = new Set([...written.keys(), ...after.keys()]);
    const kept = earlier.filter(({ name }) => !changed.has(name)).map((channel) => ({ name: channel.name, version: channel.version!, fresh: false }));
    const stored = await Promise.all(
      [...changed].map(async (name): Promise<AppendChannel> => {
        const value = await this.#encoded(name, after.get(name));
        return { name: name as Channel, version, fresh: true, ...(value === undefined ? {} : { value }) };
      }),
    );
    return [...kept, ...stored];
  }

  async #encoded(name: string, after: After | undefined): Promise<Encoded | EditedValue | undefined> {
    if (after?.value === undefined) return undefined;
    const definition = this.#channels[name]!;
    if (after.before !== undefined && Array.isArray(after.value) && isMessages(definition)) {
      const { segments, added } = editScript(after.before, after.value);
      const encoded = await this.#rebuilder.codec.encode(added, name);
      if (encoded.shape === Shape.array) return { ...encoded, shape: Shape.array + SNAPSHOT, segments };
    }
    const encoded = await this.#rebuilder.codec.encode(after.value, name);
    return definition.kind === "delta" ? { ...encoded, shape: encoded.shape + SNAPSHOT } : encoded;
  }

  async #head(
    request: StepRequest,
    parent: Parent | undefined,
    number: number,
    written: ReadonlyMap<string, unknown>,
    after: ReadonlyMap<string, After>,
    channels: readonly AppendChannel[],
  ): Promise<Uint8Array<ArrayBuffer>> {
    const counters = Object.entries(this.#counters(parent, written)).filter(([name]) => !after.has(name));
    const hasDeltas = Object.values(this.#channels).some(({ kind }: ChannelDefinition) => kind === "delta");
    const isVersioned = hasDeltas && (parent === undefined || parent.head.metadata[VERSIONED] === true);
    const metadata = {
      source: "update",
      step: number,
      parents: parent?.head.metadata["parents"] ?? {},
      ...((await decodeEncoded(this.#rebuilder.codec, request.metadata)) as object),
      ...(isVersioned ? { [VERSIONED]: true } : {}),
      ...(counters.length > 0 ? { [COUNTERS]: Object.fromEntries(counters) } : {}),
      ...(this.#schema.version > 1 ? { [SCHEMA]: this.#schema.version } : {}),
    };
    const checkpoint = { v: 4, ts: new Date().toISOString(), versions_seen: parent === undefined ? {} : seenAfter(parent, written, channels) };
    return (await this.#rebuilder.codec.encode(headOf(checkpoint, metadata), "metadata")).bytes;
  }
}

interface Before {
  readonly value: unknown;
  readonly bytes: number;
  /** The parent holds it as a list of elements, which can be edited. */
  readonly isList: boolean;
}

interface After {
  readonly value: unknown;
  readonly bytes: number;
  readonly before?: readonly unknown[];
}

function countersOf({ head }: Parent): Counters {
  return (head.metadata[COUNTERS] ?? {}) as Counters;
}

/** A version that changed only because the value is stored now is nothing new to who has seen the one before. */
function seenAfter(parent: Parent, written: ReadonlyMap<string, unknown>, channels: readonly AppendChannel[]): Head["seen"] {
  const bumped = channels.filter(({ name, fresh }) => fresh && !written.has(name));
  if (bumped.length === 0) return parent.head.seen;
  return Object.fromEntries(
    Object.entries(parent.head.seen).map(([node, versions]) => [
      node,
      Object.fromEntries(
        Object.entries(versions).map(([name, version]) => {
          const bump = bumped.find((channel) => channel.name === name);
          return [name, version === versionOf(parent.checkpoint, name) ? (bump?.version ?? version) : version];
        }),
      ),
    ]),
  );
}

function maxOf(versions: readonly (number | string | undefined)[]): number | undefined {
  return versions.reduce<number | undefined>((max, version) => (max === undefined || (version as number) > max ? (version as number) : max), undefined);
}
