import type { ChannelVersions, Checkpoint, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { type Outline, outlineOf, type Outlines, parentsFirst } from "./outline.ts";
import type { Place, Side } from "./side.ts";
import { another, renamed, type Renames, renamesWith } from "./versions.ts";
import { type GraphChannels, pendingChannels, rebuilt } from "./whole.ts";
import { addWrites, alike, disagreements } from "./writes.ts";

/** What a transfer has stored on the other side. */
export interface ThreadTransferReport {
  /** Checkpoints that the other side did not have. */
  readonly checkpoints: number;
  /** Pending writes that it did not have. */
  readonly writes: number;
}

/** What one side has of a value at a version, for one that would be stored at the same. */
type Owners = Map<string, Map<number | string, Place>>;

/**
 * Rests on this: a checkpoint's writes belong to its children, whose delta channels are rebuilt from them. So a checkpoint that has a child on the other
 * side keeps the writes that it has there, and a child that needs others brings its own value.
 */
export class Carrier {
  readonly #source: Side;
  readonly #target: Side;
  readonly #outlines: { readonly source: Outlines; readonly target: Outlines };
  readonly #channels: (namespace: string) => GraphChannels;
  readonly #owners = new Map<string, Owners>();
  readonly #parents = new Map<string, Set<string>>();
  readonly #renames = new Map<Outline, Renames>();
  #checkpoints = 0;
  #writes = 0;

  constructor(sides: { source: Side; target: Side }, outlines: { source: Outlines; target: Outlines }, channels: (namespace: string) => GraphChannels) {
    this.#source = sides.source;
    this.#target = sides.target;
    this.#outlines = outlines;
    this.#channels = channels;
    for (const there of parentsFirst(outlines.target)) this.#arrived(there);
  }

  get report(): ThreadTransferReport {
    return { checkpoints: this.#checkpoints, writes: this.#writes };
  }

  async carry(outline: Outline): Promise<void> {
    const there = find(this.#outlines.target, outline.namespace, outline.id);
    const parent = find(this.#outlines.source, outline.namespace, outline.parent);
    const inherited: Renames = (parent && this.#renames.get(parent)) ?? new Map();
    const isSettled = this.#parents.get(outline.namespace)?.has(outline.id) === true;
    if (there !== undefined) this.#renames.set(outline, renamesWith(inherited, outline.versions, there.versions));
    if (there !== undefined && isSettled) return;

    const tuple = await this.#source.get(outline);
    if (tuple === undefined) return; // deleted meanwhile
    if (there === undefined) await this.#put(outline, parent, tuple, inherited);
    if (isSettled || (tuple.pendingWrites ?? []).length === 0) return;
    const present = there === undefined ? undefined : await this.#target.get(outline);
    this.#writes += await addWrites(this.#target, outline, tuple, present?.pendingWrites ?? []);
  }

  async #put(outline: Outline, parent: Outline | undefined, tuple: CheckpointTuple, inherited: Renames): Promise<void> {
    const whole = await this.#wholeValues(outline, parent, tuple);
    const values: Record<string, unknown> = { ...tuple.checkpoint.channel_values, ...whole };
    const parentThere = parent && find(this.#outlines.target, parent.namespace, parent.id);
    const fresh = Object.keys(outline.versions).filter(
      (name) => parentThere === undefined || outline.versions[name] !== parent!.versions[name] || (Object.hasOwn(values, name) && !parentThere.stored.has(name)),
    );
    const plain = renamed({ ...tuple.checkpoint, channel_values: values }, inherited);
    const renames = renamesWith(inherited, outline.versions, { ...plain.channel_versions, ...(await this.#otherVersions(outline, plain, fresh)) });
    const checkpoint = renamed({ ...tuple.checkpoint, channel_values: values }, renames);
    const newVersions = Object.fromEntries(fresh.map((name): [string, number | string] => [name, checkpoint.channel_versions[name]!]));
    await this.#target.put(outline, outline.parent, { ...tuple, checkpoint }, newVersions);
    this.#checkpoints++;
    this.#renames.set(outline, renames);
    this.#arrived({ ...outlineOf({ ...tuple, checkpoint }), namespace: outline.namespace });
  }

  /** Of the delta channels that the other side would rebuild otherwise, the whole values. */
  async #wholeValues(outline: Outline, parent: Outline | undefined, tuple: CheckpointTuple): Promise<Record<string, unknown>> {
    const channels = this.#channels(outline.namespace);
    const pending = pendingChannels(tuple, channels);
    if (pending.length === 0 || outline.parent === undefined) return {};
    const [here, there] = parent === undefined ? [] : await Promise.all([this.#source.get(parent), this.#target.get(parent)]);
    const differ = here === undefined || there === undefined ? pending : await disagreements(this.#target, parent!, pending, here, there);
    if (differ.length === 0) return {};
    const histories = await this.#source.history(outline, differ);
    const replayed = Object.entries(histories).filter(([, history]) => "seed" in history || history.writes.length > 0);
    return Object.fromEntries(replayed.map(([name, history]) => [name, rebuilt(channels, name, history, outline)]));
  }

  /** Other versions for values that the other side would take for those of another branch, as a saver does that keeps one value a version. */
  async #otherVersions(place: Place, { channel_versions: versions, channel_values: values }: Checkpoint, fresh: readonly string[]): Promise<ChannelVersions> {
    const others: ChannelVersions = {};
    for (const name of fresh) {
      const owner = this.#owners.get(place.namespace)?.get(name)?.get(versions[name]!);
      const owned = owner && (await this.#target.get(owner))?.checkpoint.channel_values;
      if (owned === undefined) continue;
      const isSame = Object.hasOwn(owned, name) === Object.hasOwn(values, name) && (await alike(this.#target, place, owned[name], values[name]));
      if (!isSame) others[name] = another(versions[name]!);
    }
    return others;
  }

  #arrived(there: Outline): void {
    const inNamespace = this.#outlines.target.get(there.namespace) ?? new Map<string, Outline>();
    this.#outlines.target.set(there.namespace, inNamespace.set(there.id, there));
    if (there.parent !== undefined) {
      this.#parents.set(there.namespace, (this.#parents.get(there.namespace) ?? new Set()).add(there.parent));
    }
    const owners: Owners = this.#owners.get(there.namespace) ?? new Map();
    this.#owners.set(there.namespace, owners);
    for (const [name, version] of Object.entries(there.versions)) {
      const ofChannel = owners.get(name) ?? new Map<number | string, Place>();
      owners.set(name, ofChannel);
      if (!ofChannel.has(version)) ofChannel.set(version, there);
    }
  }
}

function find(outlines: Outlines, namespace: string, id: string | undefined): Outline | undefined {
  return id === undefined ? undefined : outlines.get(namespace)?.get(id);
}
