import { ClosedError } from "../errors/index.ts";
import { type CheckpointId, Connection, type Counts, counting, type Namespace, put, read, type Reading, type ThreadId, write, type Writing } from "../idb/index.ts";
import { append } from "./append.ts";
import { Assumptions } from "./assumptions.ts";
import { readBranches } from "./branches.ts";
import { Announcer, type Change } from "./changes.ts";
import { copyThread } from "./copy-thread.ts";
import { deleteThread } from "./delete-thread.ts";
import { readHeads } from "./heads.ts";
import { history } from "./history.ts";
import { Ledger } from "./ledger.ts";
import { list } from "./list.ts";
import type { NamespaceState } from "./namespace.ts";
import { readPath } from "./path.ts";
import { putCheckpoint } from "./put-checkpoint.ts";
import { putWrites } from "./put-writes.ts";
import { readState } from "./read-state.ts";
import { newThreadKey } from "./new-thread-key.ts";
import { forgetLosses } from "./forget-losses.ts";
import { removeCheckpoints } from "./remove-checkpoints.ts";
import { packRevision, packThread } from "./thread-row.ts";
import { Threads, ThreadState } from "./thread.ts";
import { readThreads, updateThread } from "./thread-index.ts";
import type {
  AppendRequest,
  BranchesRequest,
  PathReply,
  PathRequest,
  StateReply,
  StateRequest,
  StoredBranch,
  StoredThread,
  ThreadsRequest,
  UpdateThreadRequest,
  UsageReply,
  WindowReply,
  WindowRequest,
} from "./thread-types.ts";
import type { BeginExportRequest, BeginImportRequest, ExportReply, ImportedThread, ImportReply, ImportRequest, TransferRequest } from "./transfer-types.ts";
import { Transfers } from "./transfers.ts";
import { tuple } from "./tuple.ts";
import {
  type CopyThreadRequest,
  type DeleteThreadRequest,
  type Engine,
  type Finding,
  type HeadsReply,
  type HeadsRequest,
  type HistoryReply,
  type HistoryRequest,
  type ListReply,
  type ListRequest,
  type PutRequest,
  type PutWritesRequest,
  type RemoveReply,
  type RemoveRequest,
  type RepairReply,
  type TupleRequest,
  type TupleReply,
  type VerifyReply,
  type VerifyRequest,
  NO_WRITES,
} from "./types.ts";
import { readUsage } from "./usage.ts";
import { readWindow } from "./window.ts";
import { repair } from "./repair.ts";
import { verify } from "./verify.ts";
import { type Batch, isPassing, type Operation, WriteQueue } from "./write-queue.ts";

/** Kept in memory, content and decoded rows, so that what was read or written lately is not read again. */
const MEMORY_BYTES = 64 * 1024 * 1024;

interface Place {
  readonly thread: ThreadId;
  readonly namespace: Namespace;
  readonly id?: CheckpointId;
}

/** The engine on this realm's own connection. */
export class LocalEngine implements Engine {
  readonly #connection: Connection;
  readonly #announcer: Announcer;
  readonly #threads = new Threads(MEMORY_BYTES);
  readonly #writes = new WriteQueue((batch) => this.#commit(batch));
  readonly #reads = new Set<Promise<unknown>>();
  readonly #transfers = new Transfers((durability) => ({
    database: this.#connection.name,
    read: (work) => this.#use((database) => read(database, work)),
    write: (work) => this.#use((database) => write(database, durability, work)),
  }));
  #closed = false;

  /** @param options `key`: of an encrypted database. `generation`: of the database, if an engine that has ended used it before for the same callers. */
  constructor(name: string, { key, generation }: { readonly key?: CryptoKey; readonly generation?: string } = {}) {
    this.#connection = new Connection(name, { ...(key === undefined ? {} : { locked: { key } }), ...(generation === undefined ? {} : { generation }) });
    this.#announcer = new Announcer(name);
  }

  get generation(): string | undefined {
    return this.#connection.generation;
  }

  put(request: PutRequest): Promise<void> {
    const { thread, namespace, id } = request;
    const change: Change = { thread, kind: "checkpoint", namespace, checkpoint: id };
    return this.#write({ ...request, begins: true, change, run: (tx, state) => putCheckpoint(tx, state, request) });
  }

  putWrites(request: PutWritesRequest): Promise<void> {
    const { thread, namespace, checkpoint } = request;
    const change: Change = { thread, kind: "writes", namespace, checkpoint };
    return this.#write({ ...request, begins: true, change, run: (tx, state, assumptions) => putWrites(tx, state, request, assumptions) });
  }

  async deleteThread(request: DeleteThreadRequest): Promise<boolean> {
    const { thread, durability } = request;
    let isDeleted = false;
    const run: Operation["run"] = async (tx, state) => {
      isDeleted = await deleteThread(tx, state, request);
    };
    await this.#write({ thread, durability, begins: false, isUpkeep: true, change: { thread, kind: "deleted" }, run });
    return isDeleted;
  }

  async remove(request: RemoveRequest): Promise<RemoveReply> {
    const { thread, namespace, durability } = request;
    let reply: RemoveReply = { checkpoints: 0, bytes: 0 };
    const run = async (tx: Reading, state: ThreadState, ledger: Ledger) => {
      if (state.damage !== undefined) throw state.damage;
      const gone = await removeCheckpoints(tx, state.namespace(namespace), request, ledger);
      reply = { checkpoints: gone.length, bytes: ledger.bytes };
      return gone;
    };
    if (request.change === "nothing") {
      await this.#read(async (tx) => {
        const state = await this.#threads.enter(tx, thread);
        if (state !== undefined) await run(tx, state, new Ledger(undefined));
      });
      return reply;
    }
    await this.#write({
      thread,
      durability,
      begins: false,
      isUpkeep: true,
      change: { thread, kind: "removed", namespace },
      run: async (tx, state) => {
        const gone = await run(tx, state, new Ledger(tx));
        await forgetLosses(tx, state, namespace, gone);
        if (reply.checkpoints > 0 || reply.bytes !== 0) state.removed(reply);
      },
    });
    return reply;
  }

  copyThread(request: CopyThreadRequest): Promise<void> {
    const { target, durability } = request;
    return this.#write({ thread: target, durability, begins: true, change: { thread: target, kind: "thread" }, run: (tx, state) => copyThread(tx, state, request) });
  }

  heads(request: HeadsRequest): Promise<HeadsReply> {
    return this.#read(async (tx) => {
      const state = await this.#threads.enter(tx, request.thread);
      return state === undefined ? { heads: [] } : readHeads(tx, state.key, request);
    });
  }

  tuple(request: TupleRequest, counts?: Counts): Promise<TupleReply> {
    return this.#read(async (tx) => {
      const state = await this.#threads.enter(tx, request.thread, newestOf(request));
      return state === undefined ? { tuples: [], runs: [] } : tuple(tx, state, request);
    }, counts);
  }

  list(request: ListRequest, counts?: Counts): Promise<ListReply> {
    return this.#read((tx) => list(tx, this.#threads, request), counts);
  }

  history(request: HistoryRequest, counts?: Counts): Promise<HistoryReply> {
    return this.#readSpace(request, { seeds: [], writes: NO_WRITES, runs: [] }, (tx, space) => history(tx, space, request), counts);
  }

  append(request: AppendRequest): Promise<void> {
    const { thread, namespace, id } = request;
    const change: Change = { thread, kind: "checkpoint", namespace, checkpoint: id };
    return this.#write({ ...request, begins: true, change, run: (tx, state, assumptions) => append(tx, state, request, assumptions) });
  }

  state(request: StateRequest, counts?: Counts): Promise<StateReply> {
    return this.#readSpace(request, { runs: [] }, (tx, space) => readState(tx, space, request), counts);
  }

  window(request: WindowRequest, counts?: Counts): Promise<WindowReply> {
    return this.#readSpace(request, { runs: [] }, (tx, space) => readWindow(tx, space, request), counts);
  }

  path(request: PathRequest, counts?: Counts): Promise<PathReply> {
    return this.#readSpace(request, { runs: [], steps: [], writes: NO_WRITES }, (tx, space) => readPath(tx, space, request), counts);
  }

  branches(request: BranchesRequest): Promise<readonly StoredBranch[]> {
    return this.#readSpace(request, [], readBranches);
  }

  threads(request: ThreadsRequest): Promise<readonly StoredThread[]> {
    return this.#read((tx) => readThreads(tx, request));
  }

  updateThread(request: UpdateThreadRequest): Promise<void> {
    const change: Change = { thread: request.thread, kind: "thread" };
    return this.#write({ ...request, begins: true, change, run: (tx, state) => updateThread(tx, state, request) });
  }

  usage({ thread }: { readonly thread: ThreadId }): Promise<UsageReply | undefined> {
    return this.#read(async (tx) => {
      const state = await this.#threads.enter(tx, thread);
      return state && readUsage(tx, state.key);
    });
  }

  async verify(request: VerifyRequest): Promise<VerifyReply> {
    const report = await this.#read((tx) => verify(tx, request));
    return report.next === undefined && this.generation === undefined ? { ...report, problems: [...report.problems, nameless] } : report;
  }

  async repair(request: VerifyRequest): Promise<RepairReply> {
    await this.#writes.inFlight;
    const reply = await this.#use((database) => write(database, "strict", (tx) => repair(tx, request)));
    this.#announcer.announce(reply.repaired.map((thread) => ({ thread, kind: "thread" })));
    if (reply.next !== undefined || this.generation !== undefined) return reply;
    await this.#connection.rename();
    return { ...reply, dropped: [...reply.dropped, nameless] };
  }

  async suspend(): Promise<void> {
    this.#connection.suspend();
    await this.#writes.drain();
    await Promise.allSettled(this.#reads);
    this.#connection.suspend();
  }

  beginExport(request: BeginExportRequest): Promise<void> {
    return this.#transfers.beginExport(request);
  }

  export(request: TransferRequest): Promise<ExportReply> {
    return this.#transfers.export(request);
  }

  beginImport(request: BeginImportRequest): Promise<void> {
    return this.#transfers.beginImport(request);
  }

  import(request: ImportRequest): Promise<ImportReply> {
    return this.#transfers.import(request);
  }

  async finishImport(request: TransferRequest & { readonly isTrial: boolean }): Promise<readonly ImportedThread[]> {
    const threads = await this.#transfers.finishImport(request);
    const changed = request.isTrial ? [] : threads.filter(({ outcome }) => outcome !== "unchanged");
    this.#announcer.announce(changed.map(({ id }): Change => ({ thread: id as ThreadId, kind: "imported" })));
    return threads;
  }

  endTransfer(request: TransferRequest): Promise<void> {
    return this.#transfers.endTransfer(request);
  }

  async close(): Promise<void> {
    await this.#transfers.close();
    this.#closed = true;
    await this.#writes.drain();
    this.#announcer.close();
    await Promise.allSettled(this.#reads);
    await this.#connection.close();
  }

  #write(operation: Operation): Promise<void> {
    return this.#closed ? Promise.reject(new ClosedError({})) : this.#writes.add(operation);
  }

  #readSpace<T>(place: Place, none: T, work: (tx: Reading, space: NamespaceState) => Promise<T>, counts?: Counts): Promise<T> {
    return this.#read(async (tx) => {
      const state = await this.#threads.enter(tx, place.thread, newestOf(place));
      return state === undefined ? none : work(tx, state.namespace(place.namespace));
    }, counts);
  }

  async #read<T>(work: (tx: Reading) => Promise<T>, counts?: Counts): Promise<T> {
    if (counts === undefined) return this.#readOnce(work);
    const began = performance.now();
    const result = await this.#readOnce((tx) => work(counting(tx, counts)));
    counts.storage += performance.now() - began;
    return result;
  }

  async #readOnce<T>(work: (tx: Reading) => Promise<T>): Promise<T> {
    if (this.#closed) throw new ClosedError({});
    // It would wait for the transaction that is under way anyhow, and now finds what that has left in memory.
    await this.#writes.inFlight;
    const once = () => this.#connection.use((database) => read(database, work));
    return this.#used(once().catch((error: unknown) => (isPassing(error) ? once() : Promise.reject(error as Error))));
  }

  /** Closing waits for it. */
  async #used<T>(use: Promise<T>): Promise<T> {
    this.#reads.add(use);
    try {
      return await use;
    } finally {
      this.#reads.delete(use);
    }
  }

  /** For a transaction that is not repeated, whatever becomes of it. */
  #use<T>(work: Parameters<typeof Connection.prototype.use<T>>[0]): Promise<T> {
    return this.#closed ? Promise.reject(new ClosedError({})) : this.#used(this.#connection.use(work));
  }

  async #commit(batch: Batch): Promise<void> {
    const committed = await this.#attempt(batch, new Assumptions(true));
    if (!committed) await this.#attempt(batch, new Assumptions(false));
  }

  /** One transaction for all of them. False if it was aborted because what it assumed does not hold. */
  async #attempt(batch: Batch, assumptions: Assumptions): Promise<boolean> {
    const durability = batch.operations.some((operation) => operation.durability === "strict") ? "strict" : "relaxed";
    let touched = new Touched();
    let held = true;
    try {
      await this.#connection.use((database) =>
        write(database, durability, async (tx) => {
          touched = new Touched();
          try {
            for (let next = batch.operations; held && next.length > 0; next = batch.join()) {
              await this.#run(tx, next, assumptions, touched);
              held = await assumptions.held();
            }
          } catch (error) {
            // What is wrong may be what was assumed.
            held = await assumptions.held().catch(() => true);
            if (held) throw error;
          }
          if (held) touched.mark(tx);
          else tx.abort();
        }),
      );
    } catch (error) {
      if (held) throw error;
      return false;
    }
    for (const state of touched.states.values()) this.#threads.keep(state);
    this.#announcer.announce(touched.changes);
    return true;
  }

  async #run(tx: Writing, operations: readonly Operation[], assumptions: Assumptions, { states, changes }: Touched): Promise<void> {
    for (const operation of operations) {
      const { thread } = operation;
      const state = states.get(thread) ?? (await this.#threads.take(tx, thread, assumptions)) ?? (operation.begins ? begin(thread) : undefined);
      if (state === undefined) continue;
      if (operation.begins && state.damage !== undefined) throw state.damage;
      states.set(thread, state);
      if (operation.isUpkeep !== true) state.revision.updated = Date.now();
      await operation.run(tx, state, assumptions);
      if (operation.change.kind !== "deleted" || state.isDeleted) changes.push(operation.change);
      if (state.isDeleted) states.delete(thread);
    }
  }
}

/** What a transaction has to do with. */
class Touched {
  readonly states = new Map<ThreadId, ThreadState>();
  readonly changes: Change[] = [];

  /** Every write of a thread ends with its revision: so everyone who reads that knows whether anything else changed. */
  mark(tx: Writing): void {
    for (const state of this.states.values()) {
      if (state.isNew) put(tx, "threads", packThread(state.id, state.row), state.id);
      state.isNew = false;
      state.revision.number++;
      put(tx, "revisions", packRevision(state.key, state.revision), state.key);
    }
  }
}

const nameless: Finding<"damaged"> = {
  code: "damaged",
  store: "meta",
  key: JSON.stringify("generation"),
  sentence: "The database has lost its name, by which one that was emptied is told from it.",
};

/** The namespace whose newest checkpoint a request is about, if it names none. */
function newestOf({ namespace, id }: Place): Namespace | undefined {
  return id === undefined ? namespace : undefined;
}

function begin(thread: ThreadId): ThreadState {
  const now = Date.now();
  const revision = { number: 0, updated: now, checkpoints: 0, branches: 0, bytes: 0, removals: 0 };
  return new ThreadState(thread, { key: newThreadKey(), created: now }, revision, { isNew: true });
}
