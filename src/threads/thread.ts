import { addsOnly, type Channels, schemaVersionOf, type StateOf, withMessageIds, type WriteOf } from "../channels/index.ts";
import { Shape, SNAPSHOT } from "../codec/encoded.ts";
import type { ValueCodec } from "../codec/index.ts";
import type { Counts, EncodedValue } from "../engine/index.ts";
import { InvalidConfigError, UndefinedChannelError, UnknownCheckpointError } from "../errors/index.ts";
import type { Channel, CheckpointId } from "../idb/index.ts";
import { type Branch, branchesOf } from "./branches.ts";
import { Decoder } from "./decoder.ts";
import { history, type HistoryOptions, type Step } from "./history.ts";
import { channel, checkpointId } from "./ids.ts";
import { withLock } from "./lock.ts";
import { isMessages } from "./sketch.ts";
import { initialValues, stateIn, type ThreadState, type Where } from "./state.ts";
import type { Storage } from "./storage.ts";
import type { TranscriptOptions } from "./transcript.ts";

export type Values<C extends Channels> = string extends keyof C ? Record<string, unknown> : { [Name in keyof C]: StateOf<C[Name]> };

/** What a step writes: to any of the channels. */
export type Update<C extends Channels> = string extends keyof C ? Record<string, unknown> : { [Name in keyof C]?: WriteOf<C[Name]> };

/** The type of the items of a channel that is a list. */
export type ItemOf<List> = List extends readonly (infer Item)[] ? Item : unknown;

export interface AppendOptions {
  /** For the checkpoint, beside `source`, `step` and `parents`. Default: nothing. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /**
   * If the thread has gone on, by somebody else, from the checkpoint that this handle read last: `"reject"`, the default, with a
   * `conflict`, or `"fork"`, a branch.
   */
  readonly stale?: "reject" | "fork";
}

export interface ReadOptions {
  /** A checkpoint's id. Default: the newest of the thread; of a fork, where it stands. */
  readonly at?: string;
}

/** So many items from the start or the end of a list; or of the part of it that is before a position. */
export type SliceOptions = ReadOptions & { readonly before?: number } & ({ readonly first: number } | { readonly last: number });

export interface Slice<Item> {
  readonly items: Item[];
  /** The position of the first item: pass it as `before` to get those before it. */
  readonly start: number;
  /** How many items the whole list has. */
  readonly total: number;
  /** The checkpoint that was read: pass it as `at`, so that the next slice fits. */
  readonly at: string | undefined;
}

/** Who else reads other channels than those that are defined. */
interface Scope extends Where {
  readonly others: boolean;
}

/**
 * A thread, as one reader and writer sees it: it stands at a checkpoint, the one that it read or appended last, and appends
 * go on from there. One that read nothing yet, and is no fork, goes on from the newest.
 */
export class Thread<C extends Channels = Channels> {
  readonly #storage: Storage;
  readonly #scope: Scope;
  /** A fork reads where it stands, and not the newest. */
  readonly #isFork: boolean;
  /** Undefined: nothing was read yet. Null: there was no checkpoint. */
  #head: CheckpointId | null | undefined;
  /** How many steps were appended. Before the first, what a fork forks from may have gone on. */
  #appends = 0;
  #appending: Promise<unknown> = Promise.resolve();

  /** @internal */
  constructor(storage: Storage, scope: Scope, forkedFrom?: CheckpointId) {
    this.#storage = storage;
    this.#scope = scope;
    this.#isFork = forkedFrom !== undefined;
    this.#head = forkedFrom;
  }

  get id(): string {
    return this.#scope.thread;
  }

  /** The checkpoint that this stands at: what it read or appended last; what it read of another with `at` does not count. */
  get head(): string | undefined {
    return this.#head ?? undefined;
  }

  /**
   * One step: writes to several channels, all of them or none, and resolves to the id of the new checkpoint when it is
   * committed. What is stored is what the arguments hold at the call. Messages without an id get one. Given several updates, all
   * are of the one step, in order.
   *
   * @throws CheckpointError `conflict` if the thread went on from where this stands, `invalid-update` for a step that a channel cannot take,
   * `unsupported-value` for a value that would not come back as it is, `undefined-channel`
   */
  async append(update: Update<C> | readonly Update<C>[], options: AppendOptions = {}): Promise<string> {
    const { codec, durability, turns } = this.#storage.options;
    // All encoding begins before the first await: later the values may be others.
    const { writes, adds } = this.#writesIn(update);
    const encoded = Promise.all([encode(codec, options.metadata ?? {}, "metadata"), ...writes.map(([name, value]) => encode(codec, value, name))]);
    const before = this.#appending;
    const appended = turns.take(encoded, async ([metadata, ...values]) => {
      await before.catch(() => undefined);
      const id = await this.#storage.append({
        thread: this.#scope.thread,
        namespace: this.#scope.namespace,
        ...(this.#head === undefined ? {} : { parent: this.#head }),
        stale: options.stale ?? (this.#isFork && this.#appends === 0 ? "fork" : "reject"),
        adds,
        writes: writes.map(([name], index) => ({ channel: name, value: values[index]! })),
        metadata,
        durability,
      });
      this.#head = id;
      this.#appends++;
      return id;
    });
    this.#appending = appended;
    return appended;
  }

  #writesIn(update: Update<C> | readonly Update<C>[]): { writes: (readonly [Channel, unknown])[]; adds: Channel[] } {
    const { channels } = this.#storage.options;
    const updates = (Array.isArray(update) ? update : [update]) as readonly Readonly<Record<string, unknown>>[];
    const given = updates.flatMap((each) => Object.entries(each).filter(([, value]) => value !== undefined));
    const unknown = given.find(([name]) => !Object.hasOwn(channels, name));
    if (unknown !== undefined) throw new UndefinedChannelError({ channel: unknown[0] });
    const ofMessages = (name: string) => isMessages(channels[name]);
    const adding = [...new Set(given.map(([name]) => name))].filter((name) => ofMessages(name) && given.every(([other, value]) => other !== name || addsOnly(value)));
    return {
      writes: given.map(([name, value]) => [channel(name), ofMessages(name) ? withMessageIds(value) : value] as const),
      adds: adding.map(channel),
    };
  }

  /** The newest state, or that at a checkpoint. Without any checkpoint: how the channels begin. */
  async values(options: ReadOptions = {}): Promise<Values<C>> {
    return (await this.state(options))?.values ?? (initialValues(this.#storage) as Values<C>);
  }

  /** The same with what is known of the checkpoint. `undefined` if the thread has none. */
  state(options: ReadOptions = {}): Promise<ThreadState<Values<C>> | undefined> {
    return this.#storage.options.events.reads.reported({ method: "state", thread: this.id }, (counts) => this.#state(options, counts));
  }

  async #state(options: ReadOptions, counts?: Counts): Promise<ThreadState<Values<C>> | undefined> {
    const { thread, namespace, others } = this.#scope;
    const id = this.#target(options);
    const appends = this.#appends;
    const request = {
      thread,
      namespace,
      ...(id === undefined ? {} : { id }),
      ...(others ? {} : { channels: Object.keys(this.#storage.options.channels) as Channel[] }),
    };
    const reply = await this.#storage.state(request, counts);
    if (reply.checkpoint === undefined && id !== undefined) throw new UnknownCheckpointError({ thread, checkpoint: id });
    const state = await stateIn(this.#storage, reply, others);
    this.#saw(options, reply.checkpoint?.id, appends);
    return state as ThreadState<Values<C>> | undefined;
  }

  /**
   * A window of a channel that is a list. Where the checkpoint holds the list, as it does for messages, aggregates and last
   * values, only the window is read; otherwise the list is rebuilt first.
   */
  slice<Name extends keyof Values<C> & string>(name: Name, options: SliceOptions): Promise<Slice<ItemOf<Values<C>[Name]>>> {
    return this.#storage.options.events.reads.reported({ method: "slice", thread: this.id }, (counts) => this.#slice(name, options, counts));
  }

  async #slice<Name extends keyof Values<C> & string>(name: Name, options: SliceOptions, counts?: Counts): Promise<Slice<ItemOf<Values<C>[Name]>>> {
    const { thread, namespace } = this.#scope;
    const id = this.#target(options);
    const { count, from } = "first" in options ? { count: options.first, from: "start" as const } : { count: options.last, from: "end" as const };
    if (!Number.isSafeInteger(count) || count < 0) throw new InvalidConfigError({ field: "first" in options ? "first" : "last", hint: "It is a number of items." });
    if (options.before !== undefined && (!Number.isSafeInteger(options.before) || options.before < 0)) {
      throw new InvalidConfigError({ field: "before", hint: "It is a position in the list: 0 or more." });
    }
    const appends = this.#appends;
    const { window, head, runs, id: found } = await this.#storage.engine.window(
      {
        thread,
        namespace,
        ...(id === undefined ? {} : { id }),
        channel: channel(name),
        from,
        count,
        ...(options.before === undefined ? {} : { before: options.before }),
      },
      counts,
    );
    if (found === undefined && id !== undefined) throw new UnknownCheckpointError({ thread, checkpoint: id });
    const decoder = new Decoder(this.#storage.options.codec, runs);
    if (window !== undefined && window.value.shape % SNAPSHOT === Shape.array && (await this.#isCurrent(decoder, head!))) {
      this.#saw(options, found, appends);
      const items = (await decoder.plainValue(window.value)) as ItemOf<Values<C>[Name]>[];
      return { items, start: window.start, total: window.total, at: found };
    }
    return this.#sliceOfWhole(name, options, from, count, counts);
  }

  /** Whether a state has the shape that this release of the application knows. */
  async #isCurrent(decoder: Decoder, bytes: Uint8Array): Promise<boolean> {
    const { schema } = this.#storage.options;
    return schema === undefined || schemaVersionOf((await decoder.head(bytes)).metadata) === schema.version;
  }

  async #sliceOfWhole<Name extends keyof Values<C> & string>(
    name: Name,
    options: SliceOptions,
    from: "start" | "end",
    count: number,
    counts?: Counts,
  ): Promise<Slice<ItemOf<Values<C>[Name]>>> {
    const state = await this.#state(options.at === undefined ? {} : { at: options.at }, counts);
    const value: unknown = (state?.values ?? (initialValues(this.#storage) as Values<C>))[name];
    if (value !== undefined && !Array.isArray(value)) throw new InvalidConfigError({ field: name, hint: "Only a channel whose value is a list has slices." });
    const list = (value ?? []) as ItemOf<Values<C>[Name]>[];
    const end = Math.min(options.before ?? list.length, list.length, from === "start" ? count : Number.POSITIVE_INFINITY);
    const start = from === "start" ? 0 : Math.max(0, end - count);
    return { items: list.slice(start, end), start, total: list.length, at: state?.id };
  }

  /** A handle that stands at a checkpoint: what it appends makes a branch there, if the thread has gone on from it. */
  fork(at: string): Thread<C> {
    return new Thread(this.#storage, this.#scope, checkpointId(at));
  }

  /**
   * The steps that led to the newest checkpoint, to where a fork stands, or to the checkpoint `at`, newest first. Read page by page, as
   * far as it is asked for.
   */
  history(options: HistoryOptions = {}): AsyncGenerator<Step> {
    return history(this.#storage, this.#scope, this.#target(options), options);
  }

  /**
   * The thread as text for people: its messages in Markdown, or all of it in JSON; the state at a checkpoint, or the steps that led there. To take the
   * thread elsewhere export it: from this nothing can be read back.
   *
   * @example
   * ```ts
   * await navigator.clipboard.writeText(await thread.transcript());
   * ```
   */
  async transcript(options: TranscriptOptions = {}): Promise<string> {
    const { asJson, formOf, stateAsMarkdown, stepsAsMarkdown } = await import("./transcript.ts");
    const { of, as } = formOf(options);
    const at = options.at === undefined ? {} : { at: options.at };
    if (of === "state") {
      const state = await this.state(at);
      return as === "json" ? asJson(this.id, { state }) : stateAsMarkdown(this.id, state);
    }
    const steps: Step[] = [];
    for await (const step of this.history(at)) steps.unshift(step);
    return as === "json" ? asJson(this.id, { steps }) : stepsAsMarkdown(this.id, steps);
  }

  /** The tree of checkpoints as its branches, oldest first: where each forks off, and where it ends. */
  branches(): Promise<Branch[]> {
    return branchesOf(this.#storage, this.#scope);
  }

  /** Runs `work` while nobody else does under this thread's lock, in this tab or another. For runs of LangGraph too. */
  withLock<T>(work: () => Promise<T>, options: { readonly signal?: AbortSignal } = {}): Promise<T> {
    return withLock(this.#storage.options.name, this.#scope.thread, work, options);
  }

  /** The newest checkpoint was read. Nobody goes back to it who appended meanwhile, or has seen a newer one. */
  #saw({ at }: ReadOptions, id: CheckpointId | undefined, appends: number): void {
    if (at !== undefined || this.#isFork || appends !== this.#appends) return;
    if (id === undefined || (this.#head ?? "") < id) this.#head = id ?? null;
  }

  #target({ at }: ReadOptions): CheckpointId | undefined {
    if (at !== undefined) return checkpointId(at);
    return this.#isFork ? (this.#head ?? undefined) : undefined;
  }
}

/** Begins at once, so that what is stored is what the value is now. */
function encode(codec: ValueCodec, value: unknown, path: string): EncodedValue | Promise<EncodedValue> {
  return codec.encode(value, path);
}
