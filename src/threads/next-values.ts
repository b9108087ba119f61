import { isDue } from "../channels/cadence.ts";
import { type Channels, migrate, overwriteOf, type Schema, schemaVersionOf } from "../channels/index.ts";
import { type Seed, step } from "../channels/reduce.ts";
import { Shape, SNAPSHOT } from "../codec/index.ts";
import { UndefinedChannelError } from "../errors/index.ts";
import type { Channel } from "../idb/index.ts";
import { Decoder } from "./decoder.ts";
import { countersAfter } from "./next-head.ts";
import { countersOf, type Parent } from "./parent.ts";
import { type Rebuilder, unstored, versionOf } from "./rebuilder.ts";
import { isMessages, NotHere } from "./sketch.ts";
import type { KnownValue } from "./state-cache.ts";
import type { StepRequest } from "./step-request.ts";

/** A value that a step stores. */
export interface After {
  readonly value: unknown;
  /** About what it takes. */
  readonly bytes: number;
  /** What it was at the parent, if that holds it as a list of elements, which can be edited. */
  readonly before?: readonly unknown[];
  /** Items that come after what the parent holds, whatever that is. `value` is then only there if it was at hand. */
  readonly added?: readonly unknown[];
}

/** What a step writes, by channel. */
export type Written = ReadonlyMap<string, readonly unknown[]>;

/** Makes the values that a step stores: those it writes, but of delta channels only those that are to be stored now. */
export class NextValues {
  readonly #rebuilder: Rebuilder;
  readonly #channels: Channels;
  readonly #schema: Schema | undefined;

  constructor(rebuilder: Rebuilder, channels: Channels, schema: Schema | undefined) {
    this.#rebuilder = rebuilder;
    this.#channels = channels;
    this.#schema = schema;
  }

  async after(request: StepRequest, parent: Parent | undefined, written: Written): Promise<Map<string, After>> {
    if (parent !== undefined && this.#schema !== undefined && schemaVersionOf(parent.head.metadata) !== this.#schema.version) {
      return this.#afterMigration(request, parent, written, this.#schema);
    }
    const names = this.#toStore(request, parent, written);
    const grown = names.filter((name) => parent !== undefined && request.adds.includes(name as Channel) && isListAt(parent, name));
    const others = names.filter((name) => !grown.includes(name));
    const before = await this.#before(request, parent, others.filter((name) => this.#channels[name]!.kind !== "last"));
    return new Map([
      ...grown.map((name) => [name, this.#grown(name, parent!, written.get(name) ?? [], request)] as const),
      ...others.map((name) => [name, this.#stepped(name, before.get(name), written.get(name) ?? [], request)] as const),
    ]);
  }

  #toStore(request: StepRequest, parent: Parent | undefined, written: Written): string[] {
    const counters = countersAfter(this.#channels, parent, new Set(written.keys()));
    const pending = this.#pendingOn(parent);
    const isToStore = (name: string): boolean => {
      const definition = this.#channels[name]!;
      const writes = written.get(name);
      if (definition.kind !== "delta") return writes !== undefined;
      if (pending.has(name)) return true;
      if (writes === undefined && (parent === undefined || versionOf(parent.checkpoint, name) === undefined)) return false;
      if (isDue(definition, counters[name])) return true;
      return writes !== undefined && (parent === undefined || request.stale === "fork" || isMessages(definition) || writes.some((write) => overwriteOf(write)));
    };
    return Object.keys(this.#channels).filter(isToStore);
  }

  /**
   * What is pending on the parent may be another step's, and would be replayed into this one: a delta channel among it is stored
   * whole, and for that it has to be defined.
   */
  #pendingOn(parent: Parent | undefined): Set<string> {
    if (parent === undefined) return new Set();
    const pending = new Set<string>(parent.checkpoint.pending);
    const unknown = Object.keys(countersOf(parent)).find((name) => pending.has(name) && !Object.hasOwn(this.#channels, name));
    if (unknown !== undefined) throw new UndefinedChannelError({ channel: unknown });
    return pending;
  }

  /** A list that only grows need not be known. */
  #grown(name: string, { checkpoint }: Parent, writes: readonly unknown[], request: StepRequest): After {
    const added = writes.flat();
    const known = this.#rebuilder.known(request, checkpoint, name);
    const bytes = bytesOf(request, name) + (known?.bytes ?? 0);
    return { added, bytes, value: Array.isArray(known?.value) ? [...(known.value as unknown[]), ...added] : undefined };
  }

  #stepped(name: string, before: KnownValue | undefined, writes: readonly unknown[], request: StepRequest): After {
    const bytes = bytesOf(request, name) + (before?.bytes ?? 0);
    const isList = before?.isList === true && Array.isArray(before.value);
    return { value: step(name, this.#channels[name]!, before, writes), bytes, ...(isList ? { before: before.value as unknown[] } : {}) };
  }

  /** Values of channels at the parent. */
  async #before(place: StepRequest, parent: Parent | undefined, names: readonly string[]): Promise<Map<string, KnownValue>> {
    const found = new Map<string, KnownValue>();
    if (parent === undefined || names.length === 0) return found;
    const { checkpoint, head } = parent;
    const stored = new Set<string>(checkpoint.channels.filter(({ shape }) => shape !== undefined).map(({ name }) => name));
    for (const name of names) {
      const known = stored.has(name) ? this.#rebuilder.known(place, checkpoint, name) : undefined;
      if (known !== undefined) found.set(name, known);
    }
    const wanted = names.filter((name) => stored.has(name) && !found.has(name)) as Channel[];
    for (const [name, value] of await this.#held(place, parent, wanted)) found.set(name, value);
    const open = unstored(names.map((name) => [name, this.#channels[name]!]), checkpoint, head);
    for (const [name, value] of await this.#rebuilder.values(place, checkpoint, open, this.#channels)) found.set(name, value);
    return found;
  }

  /** Values that the parent holds. */
  async #held({ thread, namespace }: StepRequest, { checkpoint }: Parent, channels: readonly Channel[]): Promise<Map<string, KnownValue>> {
    const found = new Map<string, KnownValue>();
    if (channels.length === 0) return found;
    const reply = await this.#rebuilder.engine.state({ thread, namespace, id: checkpoint.id, channels });
    const decoder = new Decoder(this.#rebuilder.codec, reply.runs);
    const bytes = reply.runs.reduce((sum, run) => sum + run.bytes.length, 0);
    for (const { name, value } of reply.checkpoint?.channels ?? []) {
      if (value !== undefined) found.set(name, { value: await decoder.plainValue(value), bytes, isList: value.shape % SNAPSHOT === Shape.array });
    }
    return found;
  }

  /** All values, as the migrations make them, with the step on top. */
  async #afterMigration(request: StepRequest, parent: Parent, written: Written, schema: Schema): Promise<Map<string, After>> {
    const migrated = await this.#migrated(request, parent, schema);
    const names = Object.keys(this.#channels).filter((name) => Object.hasOwn(migrated, name) || written.has(name));
    return new Map(
      names.map((name) => {
        const before: Seed = Object.hasOwn(migrated, name) ? { value: migrated[name] } : undefined;
        const writes = written.get(name) ?? [];
        return [name, { value: writes.length === 0 ? before?.value : step(name, this.#channels[name]!, before, writes), bytes: 0 }];
      }),
    );
  }

  async #migrated({ thread, namespace }: StepRequest, { checkpoint, head }: Parent, schema: Schema): Promise<Record<string, unknown>> {
    const version = schemaVersionOf(head.metadata);
    for (let to = version + 1; to <= schema.version; to++) if (schema.migrations[to] === undefined) throw new NotHere();
    const reply = await this.#rebuilder.state({ thread, namespace, id: checkpoint.id }, this.#channels);
    const decoder = new Decoder(this.#rebuilder.codec, reply.runs);
    const values: Record<string, unknown> = {};
    for (const { name, value } of reply.checkpoint?.channels ?? []) if (value !== undefined) values[name] = await decoder.plainValue(value);
    return migrate(schema, values, version);
  }
}

function isListAt({ checkpoint }: Parent, name: string): boolean {
  const shape = checkpoint.channels.find((channel) => channel.name === name)?.shape;
  return shape !== undefined && shape % SNAPSHOT === Shape.array;
}

function bytesOf({ writes }: StepRequest, name: string): number {
  return writes.reduce((sum, { channel, value }) => (channel === name ? sum + value.bytes.length : sum), 0);
}
