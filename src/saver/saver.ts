import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type DeltaChannelHistory,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import { Codec, SerializerCodec, type ValueCodec, type ValueType } from "../codec/index.ts";
import type { Durability, Engine, ListCursor, ListRequest, RepairReport, VerifyReport } from "../engine/index.ts";
import { ClosedError, InvalidConfigError } from "../errors/index.ts";
import { connect, estimate, type Lease, persist, type StorageEstimate, type StorageStatus, type WorkerOption } from "../worker/index.ts";
import type { Channels } from "../channels/index.ts";
import { asyncDispose } from "../threads/async-dispose.ts";
import { Decoder } from "../threads/decoder.ts";
import { Events, type StoreEvents } from "../threads/events.ts";
import { headOf } from "../threads/head.ts";
import { channel, checkpointId, taskId, threadId } from "../threads/ids.ts";
import { nextVersion } from "../threads/next-version.ts";
import { databaseName, durabilityOf, type Encryption, keyOf, limitsOf, type Timeouts, workerOf } from "../threads/options.ts";
import { loadPruning } from "../threads/load-pruning.ts";
import type { Retention } from "../threads/retention.ts";
import { Storage, type StorageOptions } from "../threads/storage.ts";
import { sharing, ThreadStore } from "../threads/store.ts";
import { Turns } from "../threads/turns.ts";
import { Upkeep } from "../threads/upkeep.ts";
import { wholeRepair, wholeReport } from "../threads/whole-report.ts";
import { checkpointIdOf, namespaceOf, requiredCheckpointId, requiredThreadId, taskPath, threadIdOf } from "./config.ts";
import { Ahead } from "./ahead.ts";
import { langGraphTypes, snapshots } from "./langgraph-types.ts";
import { matches } from "./metadata-filter.ts";
import { isBeforeSends, withPendingSends } from "./pending-sends.ts";
import { configOf, tupleOf, writesOf } from "./tuple.ts";
import { versionsOf } from "./versions.ts";

/** Checkpoints in one answer of `list`, so that a long history neither waits for its end nor fills the memory. */
const LIST_PAGE = 50;

export interface IndexedDBSaverOptions {
  /** The database. Savers of one name share it, in this tab and in others. Default: `"langgraph"`. */
  readonly name?: string;
  /**
   * Where the storage engine runs. `true`, the default where there is a `Worker`: in a worker of this package, off the main
   * thread. `false`: here. A `Worker`, or a function that makes one, which runs `langgraph-checkpoint-indexeddb/worker`:
   * in that; one from a function is ended with the saver and made anew after it failed, one given as such is the caller's.
   */
  readonly worker?: WorkerOption;
  /**
   * When a write counts as done. `"relaxed"`, the default: when the browser has committed it and given it to the operating
   * system; it survives a crash of the tab or the browser. `"strict"`: when it is on the disk; it survives a power cut too.
   */
  readonly durability?: Durability;
  /**
   * Encrypts the rows with AES-GCM, a database key of its own inside that `key` opens. For a database that is empty or was encrypted with this key.
   * Ids, channel names, sizes, times of checkpoints and counts stay visible. Default: rows are not encrypted. See `docs/encryption.md`.
   */
  readonly encryption?: Encryption;
  /** How to store instances of the application's own classes. See {@link ValueType}. */
  readonly types?: readonly ValueType[];
  /** What the state of the threads is made of, for {@link IndexedDBSaver.threads}: needed to append, and to read delta channels. */
  readonly channels?: Channels;
  /** A LangGraph serializer to use for all values in place of the package's own encoding. `types` then has no effect. */
  readonly serde?: SerializerProtocol;
  /** A policy of what stays, which is applied when there is time. Default: none, and everything stays. */
  readonly retention?: Retention;
  /**
   * How long the worker may take, in milliseconds: to start (default 10 000), and to answer one call (default 60 000). Half
   * a second later, for a page that slept to see the answers that came meanwhile, every pending call rejects with
   * `worker-start` or `worker-timeout`, the worker is ended, and the next call starts a new one. Of savers that share a worker
   * each has its own limits; when one passes, the worker is ended for all of them.
   */
  readonly timeouts?: Timeouts;
}

/**
 * Keeps the checkpoints of LangGraph.js in IndexedDB. Takes the place of `MemorySaver`; opens at its first use.
 *
 * Every method rejects with a {@link CheckpointError} that has a stable `code`, among them `invalid-id`,
 * `storage-unavailable`, `open-failed`, `quota-exceeded`, `transaction-failed`, `timeout`, `worker-start`, `worker-died`,
 * `worker-timeout`, `damaged`, `database-lost`, `encryption-required`, `wrong-key`, `not-encrypted` and `closed`; or with what an application's own serializer or type threw.
 *
 * @example
 * ```ts
 * const graph = builder.compile({ checkpointer: new IndexedDBSaver() });
 * ```
 */
export class IndexedDBSaver extends BaseCheckpointSaver {
  /** The same threads without LangGraph's words: to list, show and fork them. Closed with the saver. */
  readonly threads: ThreadStore;
  readonly #codec: ValueCodec;
  readonly #durability: Durability;
  readonly #connect: () => Lease;
  readonly #turns = new Turns();
  readonly #events = new Events(() => this.#open().ask !== undefined);
  readonly #ahead = new Ahead();
  readonly #storage: Storage;
  readonly #upkeep: Upkeep | undefined;
  #lease: Lease | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: IndexedDBSaverOptions = {}) {
    super(options.serde);
    const [name, worker, limits, key] = [databaseName(options.name), workerOf(options.worker), limitsOf(options.timeouts), keyOf(options.encryption)];
    this.#durability = durabilityOf(options.durability);
    if (options.serde !== undefined && typeof (options.serde as Partial<SerializerProtocol>).dumpsTyped !== "function") {
      throw new InvalidConfigError({ field: "serde", hint: "It has the methods dumpsTyped and loadsTyped." });
    }
    this.#codec =
      options.serde === undefined
        ? new Codec([...(options.types ?? []), ...langGraphTypes], snapshots)
        : new SerializerCodec(options.serde, snapshots);
    this.#connect = () => connect(name, worker(), limits, key);
    const channels = options.channels ?? {};
    const shared: StorageOptions = {
      name,
      codec: this.#codec,
      isPortable: options.serde === undefined,
      channels,
      durability: this.#durability,
      turns: this.#turns,
      events: this.#events,
      lease: () => this.#open(),
    };
    this.#storage = new Storage(shared);
    this.#upkeep = options.retention === undefined ? undefined : new Upkeep(options.retention, this.#storage);
    this.threads = new ThreadStore({ channels, ...sharing(shared) });
  }

  /**
   * The checkpoint that `config` names, or the newest of its thread, with its pending writes. `undefined` if there is none,
   * and without a `thread_id`.
   */
  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const thread = threadIdOf(config);
    if (thread === undefined) return undefined;
    const namespace = namespaceOf(config);
    const id = checkpointIdOf(config);
    const { writes } = this.#ahead;
    const request = { thread, namespace, ...(id === undefined ? {} : { id }), along: this.#ahead.channels };
    const tuple = await this.#events.reads.reported({ method: "getTuple", thread }, async (counts) => {
      const { tuples, runs, along } = await this.#engine.tuple(request, counts);
      const [stored] = tuples;
      if (stored !== undefined && along !== undefined) this.#ahead.keep({ thread, namespace, id: stored.id }, along, writes);
      return stored === undefined ? undefined : tupleOf(new Decoder(this.#codec, runs), stored);
    });
    return tuple && this.#current(tuple);
  }

  /**
   * Checkpoints, newest first by id. Without a `thread_id` those of all threads, without a `checkpoint_ns` those of all
   * namespaces.
   *
   * @param options `limit`: how many at most. `before`: only ids below the one in this config. `filter`: only those whose
   * metadata holds each of these values, compared deeply.
   */
  override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const thread = threadIdOf(config);
    const namespace = config.configurable?.["checkpoint_ns"] === undefined ? undefined : namespaceOf(config);
    const id = checkpointIdOf(config);
    const before = options.before === undefined ? undefined : checkpointIdOf(options.before);
    const filter = Object.entries((options.filter ?? {}) as Record<string, unknown>);
    let left = Math.floor(options.limit ?? Number.POSITIVE_INFINITY);
    let after: ListCursor | undefined;
    while (left > 0) {
      const request: ListRequest = {
        ...(thread === undefined ? {} : { thread }),
        ...(namespace === undefined ? {} : { namespace }),
        ...(id === undefined ? {} : { id }),
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
        limit: filter.length === 0 ? Math.min(left, LIST_PAGE) : LIST_PAGE,
        values: filter.length === 0,
      };
      const page = await this.#events.reads.reported({ method: "list", ...(thread === undefined ? {} : { thread }) }, (counts) => this.#engine.list(request, counts));
      const decoder = new Decoder(this.#codec, page.runs);
      for (const stored of page.tuples) {
        if (left <= 0) return;
        if (filter.length > 0 && !matches((await decoder.head<CheckpointMetadata>(stored.head)).metadata, filter)) continue;
        const tuple =
          filter.length === 0
            ? await this.#current(await tupleOf(decoder, stored))
            : await this.getTuple(configOf(stored.thread, stored.namespace, stored.id));
        if (tuple === undefined) continue;
        left--;
        yield tuple;
      }
      if (page.next === undefined) return;
      after = page.next;
    }
  }

  /**
   * Stores a checkpoint under the one that `config` names, and resolves when it is committed. What is stored is what
   * the arguments hold at the call. Of a channel that is not in `newVersions` the checkpoint has what was stored at its version.
   *
   * @throws CheckpointError `unsupported-value`, with the path, for a value that would not come back as it is
   */
  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const thread = requiredThreadId(config);
    const namespace = namespaceOf(config);
    const parent = checkpointIdOf(config);
    const id = checkpointId(checkpoint.id);
    const engine = this.#engineToWrite;
    // All encoding begins before the first await: later the values may be others.
    const channels = versionsOf(checkpoint, newVersions);
    const encoded = Promise.all([
      this.#codec.encode(headOf(checkpoint, metadata), "checkpoint"),
      ...channels.map(({ name, value }) => (value === undefined ? undefined : this.#codec.encode(value, `channel_values.${name}`))),
    ]);
    const names = channels.map(({ name }) => channel(name));
    await this.#turns.take(encoded, ([head, ...values]) =>
      engine.put({
        thread,
        namespace,
        id,
        ...(parent === undefined ? {} : { parent }),
        head: head.bytes,
        channels: channels.map(({ version, fresh }, index) => ({
          name: names[index]!,
          fresh,
          ...(version === undefined ? {} : { version }),
          ...(values[index] === undefined ? {} : { value: values[index] }),
        })),
        durability: this.#durability,
      }),
    );
    return configOf(thread, namespace, id);
  }

  /**
   * Stores what a task wrote on the checkpoint that `config` names, which may itself come later, and resolves when it is
   * committed. Safe to repeat: of a task's regular writes the first stays, of special ones (`__resume__`, …) the last.
   *
   * @param path where in the graph the task sits: the order in which writes come back
   * @throws CheckpointError `unsupported-value`, with the path, for a value that would not come back as it is
   */
  override async putWrites(config: RunnableConfig, writes: PendingWrite[], task: string, path = ""): Promise<void> {
    const thread = requiredThreadId(config);
    const namespace = namespaceOf(config);
    const checkpoint = requiredCheckpointId(config);
    const id = taskId(task);
    if (!Array.isArray(writes)) throw new InvalidConfigError({ field: "writes", hint: "It is an array of [channel, value]." });
    if (writes.length === 0) return;
    const rows = writes.map(([name], position) => ({
      index: Object.hasOwn(WRITES_IDX_MAP, name) ? WRITES_IDX_MAP[name]! : position,
      channel: channel(name),
    }));
    const engine = this.#engineToWrite;
    const encoded = Promise.all(writes.map(async ([name, value], position) => this.#codec.encode(value, `writes[${position}].${name}`)));
    await this.#turns.take(encoded, (values) =>
      engine.putWrites({
        thread,
        namespace,
        checkpoint,
        task: id,
        path: taskPath(path),
        writes: rows.map((row, position) => ({ ...row, value: values[position]! })),
        durability: this.#durability,
      }),
    );
  }

  /** Deletes everything of a thread, all its namespaces included. */
  override async deleteThread(id: string): Promise<void> {
    const engine = this.#engineToWrite;
    const thread = threadId(id);
    await this.#turns.take(undefined, () => engine.deleteThread({ thread, durability: this.#durability }));
  }

  /**
   * Of some threads leaves the newest checkpoint of each namespace (`"keep_latest"`, the default), or nothing (`"delete"`). What stays
   * keeps its state, delta channels included. Threads that are not there are none the worse. More ways: `saver.threads.prune`.
   */
  async prune(threadIds: readonly string[], { strategy = "keep_latest" }: { readonly strategy?: "keep_latest" | "delete" } = {}): Promise<void> {
    if (strategy === "delete") {
      await Promise.all(threadIds.map((id) => this.deleteThread(id)));
      return;
    }
    if (strategy !== "keep_latest") throw new InvalidConfigError({ field: "strategy", hint: 'It is "keep_latest" or "delete".' });
    this.#ahead.drop();
    await (await loadPruning()).pruneToLatest(this.#storage, threadIds);
  }

  /** Removes the checkpoints whose metadata has one of these as `run_id`, with their writes, from all threads. What stays keeps its state. */
  async deleteForRuns(runIds: readonly string[]): Promise<void> {
    this.#ahead.drop();
    await (await loadPruning()).pruneRuns(this.#storage, new Set(runIds));
  }

  /**
   * Copies all checkpoints and writes of a thread, with its namespaces and branches.
   *
   * @throws CheckpointError `unknown-thread` if there is no source, `thread-exists` if there is a target
   */
  async copyThread(source: string, target: string): Promise<void> {
    const engine = this.#engineToWrite;
    const request = { source: threadId(source), target: threadId(target), durability: this.#durability };
    await this.#turns.take(undefined, () => engine.copyThread(request));
  }

  /** What delta channels are rebuilt from: for each the nearest stored value among the ancestors, and the writes since. */
  override async getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    const thread = threadIdOf(options.config);
    const channels = options.channels.map(channel);
    const histories = Object.fromEntries(channels.map((name): [string, DeltaChannelHistory] => [name, { writes: [] }]));
    if (thread === undefined || channels.length === 0) return histories;
    const namespace = namespaceOf(options.config);
    const id = checkpointIdOf(options.config);
    return this.#events.reads.reported({ method: "getDeltaChannelHistory", thread }, async (counts) => {
      const request = { thread, namespace, channels, ...(id === undefined ? {} : { id }) };
      const reply = this.#ahead.take({ thread, namespace, id }, channels) ?? (await this.#engine.history(request, counts));
      const decoder = new Decoder(this.#codec, reply.runs);
      for (const { channel: name, value } of reply.seeds) histories[name]!.seed = await decoder.value(value);
      for (const step of await writesOf(decoder, reply.writes)) {
        for (const write of step) histories[write[1]]!.writes.push(write);
      }
      return histories;
    });
  }

  /**
   * Reads every row of the database, one thread after another, and reports each one that is damaged and each reference that
   * leads nowhere. Changes nothing; who writes to a thread waits while that thread is read.
   *
   * @returns counts of what was looked at; `problems`, which is empty if all is well; and `notes`, which are no faults
   * @throws CheckpointError `timeout` for a thread that cannot be read within 30 seconds
   */
  async verify(): Promise<VerifyReport> {
    return wholeReport(this.#engine);
  }

  /**
   * Makes what can be read of a damaged database consistent again. What loads goes on loading the same; what does not is removed, or
   * marked as lost where something needs it, and that still rejects with `damaged`: nothing is ever made up of what is left. Of a thread
   * the newest checkpoint is then the newest that is whole, and `list` leaves the others out. Threads without a problem are not touched.
   *
   * @returns the threads that were repaired, and what was dropped. Keep it for a bug report.
   * @throws CheckpointError `timeout` for a thread that cannot be rewritten within 30 seconds, which is left as it was
   */
  async repair(): Promise<RepairReport> {
    const engine = this.#engineToWrite;
    return this.#turns.take(undefined, () => wholeRepair(engine));
  }

  /** Versions that are unique over branches. */
  override getNextVersion(current: number | undefined): number {
    return nextVersion(current);
  }

  /**
   * How the storage is, as far as its calls have shown: as data that an application can show.
   *
   * @example
   * ```ts
   * const { state, fault } = saver.status();
   * if (fault !== undefined) showBanner(state, fault.message, fault.remedy);
   * ```
   */
  status(): StorageStatus {
    return this.#events.health.status;
  }

  /**
   * Calls `listener` when something happens:
   * - `"read"`: something was read, by a graph or by {@link IndexedDBSaver.threads}, with what it cost. Nothing is counted while nobody listens.
   * - `"fault"`: the status has changed by a fault.
   * - `"storage"`: space has become scarce, less than a tenth of the site's quota or less than 32 MiB, or is there again. It is looked after while
   *   somebody listens: at once, and then after a write, once a minute at most.
   *
   * @returns a function that ends it; closing does too
   *
   * @example
   * ```ts
   * const off = saver.on("read", ({ method, rows, bytes, ms }) => console.log(method, rows, bytes, ms.total));
   * ```
   */
  on<Type extends keyof StoreEvents>(type: Type, listener: (event: StoreEvents[Type]) => void): () => void {
    return this.#events.on(type, listener);
  }

  /**
   * Asks the browser not to delete the site's data when it needs space. Call it in a window; some browsers ask the user.
   *
   * @returns whether it will keep the data
   */
  persist(): Promise<boolean> {
    return persist();
  }

  /** What the site takes and may take, in bytes, about. `undefined` where the browser does not say. */
  estimate(): Promise<StorageEstimate | undefined> {
    return estimate();
  }

  /** Waits for what was asked, then closes the database and ends the worker, unless another saver uses them. */
  close(): Promise<void> {
    this.#upkeep?.end();
    void this.threads.close();
    this.#events.close();
    this.#closed ??= this.#turns.ended().then(() => this.#lease?.release());
    return this.#closed;
  }

  async [asyncDispose](): Promise<void> {
    await this.close();
  }

  get #engine(): Engine {
    return this.#open().engine;
  }

  get #engineToWrite(): Engine {
    this.#ahead.drop();
    return this.#engine;
  }

  #open(): Lease {
    if (this.#closed !== undefined) throw new ClosedError({});
    this.#lease ??= this.#events.health.over(this.#connect());
    this.#upkeep?.begin();
    return this.#lease;
  }

  async #current(tuple: CheckpointTuple): Promise<CheckpointTuple> {
    if (!isBeforeSends(tuple)) return tuple;
    const parent = await this.getTuple(tuple.parentConfig!);
    // Of a parent that was removed the checkpoint has kept them.
    return withPendingSends(tuple, parent?.pendingWrites ?? (await this.getDeltaChannelHistory({ config: tuple.config, channels: [TASKS] }))[TASKS]!.writes);
  }
}
