import { type Channels, type Migration, schemaOf } from "../channels/index.ts";
import type { ValueType } from "../codec/index.ts";
import { LateCodec } from "../codec/late-codec.ts";
import type { Durability, RepairReport, VerifyReport } from "../engine/index.ts";
import { ClosedError } from "../errors/index.ts";
import { connect, estimate, type Lease, persist, type StorageEstimate, type StorageStatus, type WorkerOption } from "../worker/index.ts";
import { asyncDispose } from "./async-dispose.ts";
import { Events, type StoreEvents } from "./events.ts";
import { namespace, threadId } from "./ids.ts";
import { lateStream } from "./late-stream.ts";
import { databaseName, durabilityOf, type Encryption, keyOf, limitsOf, type Timeouts, workerOf } from "./options.ts";
import { Storage, type StorageOptions } from "./storage.ts";
import { Thread } from "./thread.ts";
import { loadPruning } from "./load-pruning.ts";
import type { PruneOptions, PruneReport, Retention } from "./retention.ts";
import { getThread, type ListOptions, listThreads, type ThreadInfo, type ThreadUpdate, updateThread } from "./thread-info.ts";
import { Turns } from "./turns.ts";
import { plainSnapshots, plainTypes } from "./types.ts";
import { type Usage, usageOf } from "./usage.ts";
import { Upkeep } from "./upkeep.ts";
import type { ExportOptions, ImportOptions, ImportReport } from "./transfer.ts";
import { type ThreadChange, Watchers, type WatchOptions } from "./watch.ts";
import { wholeRepair, wholeReport } from "./whole-report.ts";

export interface ThreadStoreOptions<C extends Channels = Channels> {
  /** The database, which may be that of an `IndexedDBSaver`. Default: `"langgraph"`. */
  readonly name?: string;
  /** What a thread's state is made of, by name. */
  readonly channels: C;
  /**
   * The version of the state's shape, which every step notes as `schema_version`. Default 1. A state of an earlier version is
   * brought up by `migrations` when it is read, and stored in the new shape by the next step.
   */
  readonly version?: number;
  /** By version: makes a state of that version from one of the version before. Each from 2 to `version` is needed. */
  readonly migrations?: Readonly<Record<number, Migration>>;
  /**
   * Where the storage engine runs and values are rebuilt. `true`, the default where there is a `Worker`: in a worker of this package. `false`: here.
   * A `Worker`, or a function that makes one, that runs `langgraph-checkpoint-indexeddb/worker`, maybe with reducers of the application.
   */
  readonly worker?: WorkerOption;
  /**
   * Encrypts the rows with AES-GCM, a database key of its own inside that `key` opens. For a database that is empty or was encrypted with this key.
   * Ids, channel names, sizes, times of checkpoints and counts stay visible. Default: rows are not encrypted. See `docs/encryption.md`.
   */
  readonly encryption?: Encryption;
  /** When a step counts as done: committed (`"relaxed"`, the default), or on the disk (`"strict"`). */
  readonly durability?: Durability;
  /** How to store instances of the application's own classes. See {@link ValueType}. */
  readonly types?: readonly ValueType[];
  /** A policy that is applied when there is time. Default: none, and everything stays. See {@link ThreadStore.prune}. */
  readonly retention?: Retention;
  /** Milliseconds for the worker to start (default 10 000), and to answer one call (default 60 000). */
  readonly timeouts?: Timeouts;
}

/**
 * Threads in IndexedDB, with or without LangGraph: their state step by step, at any checkpoint, in branches. What a LangGraph
 * graph writes with an `IndexedDBSaver` of the same name can be read here, and the reverse. Opens at its first use.
 *
 * @example
 * ```ts
 * const threads = new ThreadStore({ name: "my-chat", channels: { messages: delta(messagesReducer), title: lastValue<string>() } });
 * await threads.thread("t1").append({ messages: { role: "user", content: "hi" } });
 * ```
 */
export class ThreadStore<C extends Channels = Channels> {
  readonly #storage: Storage;
  /** Whether channels that are not defined are read too. */
  readonly #others: boolean;
  readonly #close: () => Promise<void>;
  readonly #watchers: Watchers;
  readonly #upkeep: Upkeep | undefined;

  /** @throws InvalidConfigError for an option that makes no sense */
  constructor(options: ThreadStoreOptions<C>) {
    const shared = (options as { readonly [SHARED]?: StorageOptions })[SHARED];
    if (shared !== undefined) {
      this.#storage = new Storage(shared);
      this.#others = true;
      this.#close = () => Promise.resolve();
      this.#watchers = new Watchers(shared.name);
      return;
    }
    const own = new OwnLease(options);
    const codec = new LateCodec([...(options.types ?? []), ...plainTypes], plainSnapshots);
    this.#storage = new Storage({
      name: own.name,
      codec,
      isPortable: true,
      channels: options.channels,
      schema: schemaOf(options.version, options.migrations),
      durability: durabilityOf(options.durability),
      turns: own.turns,
      events: own.events,
      lease: () => {
        codec.load().catch(() => undefined); // Whoever needs it is told. It comes while the worker starts.
        this.#upkeep?.begin();
        return own.lease();
      },
    });
    this.#upkeep = options.retention === undefined ? undefined : new Upkeep(options.retention, this.#storage);
    this.#others = false;
    this.#close = () => own.close();
    this.#watchers = new Watchers(own.name);
  }

  /**
   * A handle on a thread, which need not exist yet. Handles are cheap: one for each place that reads and appends.
   *
   * @param options `namespace`: that of a LangGraph subgraph. Default: the graph itself.
   */
  thread(id: string, options: { readonly namespace?: string } = {}): Thread<C> {
    return new Thread(this.#storage, { thread: threadId(id), namespace: namespace(options.namespace ?? ""), others: this.#others });
  }

  /** The threads of the database, those first that were written to last, a page at a time. */
  list(options: ListOptions = {}): Promise<ThreadInfo[]> {
    return listThreads(this.#storage, options);
  }

  /** What is known of a thread; `undefined` if there is none. */
  get(id: string): Promise<ThreadInfo | undefined> {
    return getThread(this.#storage, id);
  }

  /** Sets a thread's title or metadata; a thread that does not exist begins with that. */
  update(id: string, update: ThreadUpdate): Promise<void> {
    return updateThread(this.#storage, id, update);
  }

  /** Deletes everything of a thread. */
  async delete(id: string): Promise<void> {
    const { durability, turns } = this.#storage.options;
    const thread = threadId(id);
    await turns.take(undefined, () => this.#storage.engine.deleteThread({ thread, durability }));
  }

  /**
   * Removes checkpoints that are not needed any more, or whole threads, and gives back the space. Every checkpoint that stays keeps
   * its state, its history and its pending writes, also if all its ancestors go. What tasks or steps are about to go on from is best
   * left to stay: run them under {@link Thread.withLock}, and prune under it too.
   *
   * @throws CheckpointError `invalid-config` for a policy that makes no sense; what the signal says, if it ends this
   * @example
   * ```ts
   * const { bytes } = await threads.prune({ keepLast: 50, dryRun: true });
   * ```
   */
  async prune(options: PruneOptions): Promise<PruneReport> {
    return (await loadPruning()).prune(this.#storage, options);
  }

  /** Removes the checkpoints of runs, which their metadata names as `run_id`, from all threads, as {@link prune} does. */
  async deleteForRuns(runIds: readonly string[]): Promise<void> {
    return (await loadPruning()).pruneRuns(this.#storage, new Set(runIds));
  }

  /**
   * Copies a thread with all its checkpoints, namespaces and branches, title and metadata. It is not pinned.
   *
   * @throws CheckpointError `unknown-thread`, `thread-exists`; `timeout` for a thread that takes more than 30 seconds
   */
  async copy(source: string, target: string): Promise<void> {
    const { durability, turns } = this.#storage.options;
    const request = { source: threadId(source), target: threadId(target), durability };
    await turns.take(undefined, () => this.#storage.engine.copyThread(request));
  }

  /** What a thread takes on disk, and what it would take otherwise. Reads all its rows. */
  usage(id: string): Promise<Usage> {
    return usageOf(this.#storage, id);
  }

  /**
   * Threads as a file, with all their branches, namespaces and pending writes, titles and metadata, but without pins: see `docs/file-format.md`. It is made as it
   * is read, in memory for a few blocks of 1 MB. Values are in it as they are encoded, compressed and not encrypted.
   *
   * The stream fails with `invalid-config` for a thread that there is not, with `damaged` if a row cannot be read, with `thread-changed` if a thread
   * is deleted or pruned meanwhile, and with the reason of `signal` when that is aborted.
   *
   * @example
   * ```ts
   * const file = await new Response(threads.export()).blob();
   * ```
   */
  export(options: ExportOptions = {}): ReadableStream<Uint8Array<ArrayBuffer>> {
    return lateStream(async () => (await import("./transfer.ts")).exporting(this.#storage, options));
  }

  /**
   * Takes in a file that {@link ThreadStore.export} made, here or elsewhere. All of it is checked and stored first; then its threads appear, all in one
   * transaction. When it fails, or is aborted, nothing has changed. Memory is needed for a few blocks of 1 MB, and for what is merged.
   *
   * @throws CheckpointError `damaged-file`, `unsupported-file`, `thread-changed` if a thread that is merged is written to meanwhile,
   * `invalid-config`, `quota-exceeded`; or the reason of `signal`
   * @example
   * ```ts
   * const report = await threads.import(file, { mode: "merge" });
   * ```
   */
  async import(file: Blob | ReadableStream<Uint8Array<ArrayBuffer>>, options: ImportOptions = {}): Promise<ImportReport> {
    const { importing } = await import("./transfer.ts");
    return importing(this.#storage, file, options);
  }

  /**
   * Calls `listener` after each change of a thread that was committed, here or in another tab or worker of the origin.
   *
   * @returns a function that ends it; closing the store does too
   */
  watch(listener: (change: ThreadChange) => void, options: WatchOptions = {}): () => void {
    return this.#watchers.watch(listener, options);
  }

  /**
   * Calls `listener` when something happens:
   * - `"read"`: a state, a window or a history was read, with what it cost. Nothing is counted while nobody listens.
   * - `"fault"`: the status has changed by a fault.
   * - `"storage"`: space has become scarce, less than a tenth of the site's quota or less than 32 MiB, or is there again. It is looked after while
   *   somebody listens: at once, and then after a write, once a minute at most.
   *
   * @returns a function that ends it; closing does too
   *
   * @example
   * ```ts
   * const off = threads.on("read", ({ method, rows, bytes, ms }) => console.log(method, rows, bytes, ms.total));
   * ```
   */
  on<Type extends keyof StoreEvents>(type: Type, listener: (event: StoreEvents[Type]) => void): () => void {
    return this.#storage.options.events.on(type, listener);
  }

  /**
   * How the storage is, as far as its calls have shown: as data that an application can show.
   *
   * @example
   * ```ts
   * const { state, fault } = threads.status();
   * if (fault !== undefined) showBanner(state, fault.message, fault.remedy);
   * ```
   */
  status(): StorageStatus {
    return this.#storage.options.events.health.status;
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

  /**
   * Reads every row of the database, one thread after another, and reports each one that is damaged and each reference that leads
   * nowhere. Changes nothing.
   */
  async verify(): Promise<VerifyReport> {
    return wholeReport(this.#storage.engine);
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
    return this.#storage.options.turns.take(undefined, () => wholeRepair(this.#storage.engine));
  }

  /** Waits for what was asked, then closes the database and ends the worker, unless another store or saver uses them. */
  close(): Promise<void> {
    this.#upkeep?.end();
    this.#watchers.end();
    return this.#close();
  }

  async [asyncDispose](): Promise<void> {
    await this.close();
  }
}

const SHARED = Symbol("shared");

/** An option for the thread store of a saver: it uses what the saver uses, and reads all channels of its graphs. */
export function sharing(storage: StorageOptions): object {
  return { [SHARED]: storage };
}

class OwnLease {
  readonly name: string;
  readonly turns = new Turns();
  readonly events = new Events(() => this.lease().ask !== undefined);
  readonly #connect: () => Lease;
  #lease: Lease | undefined;
  #closed: Promise<void> | undefined;

  constructor({ name, worker, timeouts, encryption }: ThreadStoreOptions) {
    this.name = databaseName(name);
    const [where, limits, key] = [workerOf(worker), limitsOf(timeouts), keyOf(encryption)];
    this.#connect = () => connect(this.name, where(), limits, key);
  }

  lease(): Lease {
    if (this.#closed !== undefined) throw new ClosedError({});
    this.#lease ??= this.events.health.over(this.#connect());
    return this.#lease;
  }

  close(): Promise<void> {
    this.events.close();
    this.#closed ??= this.turns.ended().then(() => this.#lease?.release());
    return this.#closed;
  }
}
