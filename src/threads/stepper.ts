import type { Channels, Schema } from "../channels/index.ts";
import { type Encoded, Shape, SNAPSHOT } from "../codec/index.ts";
import type { AppendChannel, EditedValue } from "../engine/index.ts";
import { ConflictError, UnknownCheckpointError } from "../errors/index.ts";
import type { Channel, CheckpointId, TaskId } from "../idb/index.ts";
import { nextCheckpointId } from "./checkpoint-ids.ts";
import { decodeEncoded, Decoder } from "./decoder.ts";
import { type EditScript, editScript } from "./edit-script.ts";
import { nextHead } from "./next-head.ts";
import { type After, NextValues, type Written } from "./next-values.ts";
import { latestOf, nextVersion } from "./next-version.ts";
import { type Parent, stepOf } from "./parent.ts";
import type { Rebuilder } from "./rebuilder.ts";
import { isMessages } from "./sketch.ts";
import { copyOf, type StepRequest } from "./step-request.ts";

/** How often a step that may go on from elsewhere, or as a branch, begins again because the thread went on meanwhile. */
const ATTEMPTS = 64;

/** All of the parent's elements. */
const WHOLE = [0, Number.MAX_SAFE_INTEGER] as const;

/** Makes a checkpoint of what a step writes, as LangGraph would store it, and stores both. */
export class Stepper {
  readonly #rebuilder: Rebuilder;
  readonly #channels: Channels;
  readonly #schema: Schema | undefined;
  readonly #values: NextValues;

  constructor(rebuilder: Rebuilder, channels: Channels, schema: Schema | undefined) {
    this.#rebuilder = rebuilder;
    this.#channels = channels;
    this.#schema = schema;
    this.#values = new NextValues(rebuilder, channels, schema);
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
    const { thread, namespace, durability } = request;
    const parent = await this.#parent(request);
    const written = await this.#written(request);
    const after = await this.#values.after(request, parent, written);
    const stored = await this.#stored(parent, written, after);
    const metadata = (await decodeEncoded(this.#rebuilder.codec, request.metadata)) as object;
    const channels = this.#channels;
    const head = nextHead({ channels, parent, written: new Set(written.keys()), stored, metadata, schema: this.#schema?.version });
    const id = nextCheckpointId(parent?.checkpoint.id, parent === undefined ? 0 : stepOf(parent) + 1);
    await this.#rebuilder.engine.append({
      thread,
      namespace,
      id,
      ...(parent === undefined ? {} : { parent: parent.checkpoint.id }),
      head: (await this.#rebuilder.codec.encode(head, "metadata")).bytes,
      channels: stored,
      writes: copyOf(request.writes).map((write) => ({ ...write, isNew: request.adds.includes(write.channel) })),
      task: id as string as TaskId,
      pending: parent?.checkpoint.pending ?? [],
      at: request.stale === "fork" ? "anywhere" : "tip",
      durability,
    });
    this.#keep(request, id, stored, after);
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

  async #written(request: StepRequest): Promise<Written> {
    const written = new Map<string, unknown[]>();
    for (const { channel, value } of request.writes) {
      written.set(channel, [...(written.get(channel) ?? []), await decodeEncoded(this.#rebuilder.codec, value)]);
    }
    return written;
  }

  /** Every channel of the checkpoint: those of the step, and those of the parent with what they had there. */
  async #stored(parent: Parent | undefined, written: Written, after: ReadonlyMap<string, After>): Promise<AppendChannel[]> {
    const earlier = (parent?.checkpoint.channels ?? []).filter(({ version }) => version !== undefined);
    const version = nextVersion(latestOf(earlier.map((channel) => channel.version!)));
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

  /** Of messages only those that are new: the reducer changes none, so one that stayed is the one that is stored. */
  async #encoded(name: string, after: After | undefined): Promise<Encoded | EditedValue | undefined> {
    if (after === undefined) return undefined;
    if (after.added !== undefined) return this.#edited(name, { segments: [WHOLE, [after.added.length]], added: after.added });
    if (after.value === undefined) return undefined;
    const definition = this.#channels[name]!;
    if (after.before !== undefined && Array.isArray(after.value) && isMessages(definition)) return this.#edited(name, editScript(after.before, after.value));
    const encoded = await this.#rebuilder.codec.encode(after.value, name);
    return definition.kind === "delta" ? { ...encoded, shape: encoded.shape + SNAPSHOT } : encoded;
  }

  async #edited(name: string, { segments, added }: EditScript): Promise<EditedValue> {
    return { ...(await this.#rebuilder.codec.encode(added, name)), shape: Shape.array + SNAPSHOT, segments };
  }

  /** The next step begins with these. */
  #keep(request: StepRequest, id: CheckpointId, stored: readonly AppendChannel[], after: ReadonlyMap<string, After>): void {
    for (const { name, version, value } of stored) {
      const known = after.get(name);
      if (known?.value === undefined || value === undefined || !isMessages(this.#channels[name])) continue;
      this.#rebuilder.keep(request, id, name, version, { value: known.value, bytes: known.bytes, isList: value.shape % SNAPSHOT === Shape.array });
    }
  }
}
