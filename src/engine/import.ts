import { ArchiveReader, type ArchiveRecord, type ThreadRecord } from "../archive/index.ts";
import { ClosedError, InvalidConfigError, ThreadChangedError } from "../errors/index.ts";
import { put, randomName, type Reading, type ThreadId, type Writing } from "../idb/index.ts";
import { removeRows } from "./delete-thread.ts";
import type { ReadOnce } from "./export.ts";
import { announceImport, leftBehind } from "./import-lock.ts";
import { newThreadKey } from "./new-thread-key.ts";
import { RecordReader } from "./record-reader.ts";
import { StagedThread } from "./staged-thread.ts";
import { packRevision, packThread, type Revision, threadKeyOf, type ThreadRow, unpackRevision, unpackThread } from "./thread-row.ts";
import { unfinishedImports } from "./unfinished-imports.ts";
import type { BeginImportRequest, ImportedThread, ImportReply, ImportRequest } from "./transfer-types.ts";

/** Records to one transaction. */
const RECORDS = 256;

/** How long one call may go on, ms, before it says that there is more to do. */
const TURN_MS = 1000;

/** Runs its work in a transaction of its own, once. */
export type WriteOnce = <T>(work: (tx: Writing) => Promise<T>) => Promise<T>;

export interface ImportStorage {
  readonly database: string;
  readonly read: ReadOnce;
  readonly write: WriteOnce;
}

/** What was there when the thread's turn came. */
interface Existing {
  readonly row: ThreadRow;
  readonly revision: Revision;
}

interface Staged {
  readonly from: string;
  readonly thread: StagedThread;
  /** What it was made from, if it was merged. */
  readonly merged: Existing | undefined;
  outcome: ImportedThread["outcome"];
}

/**
 * A file on its way into the database. Its threads are made in rows that nobody finds, each by records of blocks whose checksum was
 * right. Only when the file was read to its end, and was found to be whole, they take their places: all in one transaction.
 */
export class Import {
  readonly #storage: ImportStorage;
  readonly #request: BeginImportRequest;
  readonly #reader = new ArchiveReader();
  readonly #announced: () => void;
  readonly #staged: Staged[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #work: AsyncGenerator<void, void> | undefined;
  #checkpoints = 0;
  #isEnded = false;

  private constructor(storage: ImportStorage, request: BeginImportRequest) {
    this.#storage = storage;
    this.#request = request;
    this.#announced = announceImport(storage.database, request.transfer);
  }

  static async begin(storage: ImportStorage, request: BeginImportRequest): Promise<Import> {
    const isLeft = await leftBehind(storage.database);
    await storage.write(async (tx) => {
      for (const [key, revision] of await unfinishedImports(tx)) if (isLeft(revision)) removeRows(tx, key);
    });
    return new Import(storage, request);
  }

  take({ bytes }: ImportRequest): Promise<ImportReply> {
    return this.#inTurn(async () => {
      if (bytes !== undefined) this.#work = this.#read(bytes);
      const until = performance.now() + TURN_MS;
      let isBusy = true;
      while (isBusy && performance.now() < until) isBusy = !(await this.#work?.next())?.done;
      return { isBusy, threads: this.#staged.length, checkpoints: this.#checkpoints };
    });
  }

  /** Puts the threads in their places; or only says what would become of each. */
  finish(isTrial: boolean): Promise<readonly ImportedThread[]> {
    return this.#inTurn(async () => {
      this.#reader.end();
      await this.#endThread();
      if (isTrial) await this.#end();
      else await this.#publish();
      return this.#staged.map(({ from, thread, outcome }) => ({ id: thread.id, from, outcome, ...thread.added }));
    });
  }

  /** Leaves nothing. */
  async cancel(): Promise<void> {
    const isUnderWay = !this.#isEnded;
    this.#isEnded = true;
    await this.#last.catch(() => undefined);
    if (isUnderWay) await this.#end();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => (this.#isEnded ? Promise.reject(new ClosedError({})) : work()));
    this.#last = turn;
    turn.catch(() => undefined);
    return turn;
  }

  /** What is staged and has no place goes. */
  async #end(): Promise<void> {
    this.#isEnded = true;
    try {
      await this.#storage.write(async (tx) => {
        for (const [key, revision] of await unfinishedImports(tx)) if (revision.import === this.#request.transfer) removeRows(tx, key);
      });
    } finally {
      this.#announced();
    }
  }

  async *#read(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<void, void> {
    for await (const records of this.#reader.take(bytes)) {
      let from = 0;
      for (const [index, record] of records.entries()) {
        if (record.kind === "checkpoint") this.#checkpoints++;
        const isThread = record.kind === "thread";
        if (!isThread && index - from < RECORDS) continue;
        yield* this.#apply(records.slice(from, index));
        from = index;
        if (!isThread) continue;
        await this.#endThread();
        yield* this.#beginThread(record);
      }
      yield* this.#apply(records.slice(from));
    }
  }

  async *#apply(records: readonly ArchiveRecord[]): AsyncGenerator<void, void> {
    const current = this.#staged.at(-1);
    if (current === undefined || records.length === 0) return;
    await this.#storage.write((tx) => current.thread.apply(tx, records));
    yield;
  }

  async *#beginThread(record: ThreadRecord): AsyncGenerator<void, void> {
    const { mode, ids, transfer } = this.#request;
    const id = ids.get(record.id as ThreadId) ?? ((mode === "new-id" ? randomName() : record.id) as ThreadId);
    if (this.#staged.some(({ thread }) => thread.id === id)) throw new InvalidConfigError({ field: "ids", hint: `Two threads of the file would be "${id}".` });
    const isThere = await this.#storage.read(async (tx) => (await tx.objectStore("threads").getKey(id)) !== undefined);
    if (isThere && mode === "new-id") throw new InvalidConfigError({ field: "ids", hint: `There is a thread "${id}" already.` });
    const merged = isThere && mode === "merge" ? await this.#storage.read((tx) => existing(tx, id)) : undefined;
    const { title, metadata } = record;
    const row = { key: newThreadKey(), created: record.created, ...(title === undefined ? {} : { title }), ...(metadata === undefined ? {} : { metadata }) };
    const revision = { number: 0, updated: record.updated, checkpoints: 0, branches: 0, bytes: 0, removals: 0, import: transfer };
    if (merged === undefined) {
      this.#staged.push({ from: record.id, thread: new StagedThread(id, row, revision), merged, outcome: isThere ? "replaced" : "added" });
      return;
    }
    const thread = new StagedThread(id, { ...merged.row, key: row.key }, { ...revision, updated: Math.max(record.updated, merged.revision.updated) });
    this.#staged.push({ from: record.id, thread, merged, outcome: "merged" });
    yield* this.#copy(id, thread);
    thread.beginMerge({ ...row, ...merged.row, key: row.key });
  }

  async *#copy(id: ThreadId, thread: StagedThread): AsyncGenerator<void, void> {
    const reader = new RecordReader([id]);
    for (;;) {
      const records = await this.#storage.read((tx) => reader.next(tx));
      if (records.length === 0) return;
      await this.#storage.write((tx) => thread.apply(tx, records));
      yield;
    }
  }

  /** A thread that nothing was added to stays what it is. */
  async #endThread(): Promise<void> {
    const staged = this.#staged.at(-1);
    staged?.thread.rest();
    if (staged?.merged === undefined || staged.outcome === "unchanged") return;
    const { thread, merged } = staged;
    const isSaid = thread.row.title !== merged.row.title || thread.row.metadata !== merged.row.metadata;
    if (thread.added.checkpoints + thread.added.writes > 0 || isSaid) return;
    staged.outcome = "unchanged";
    await this.#storage.write(async (tx) => removeRows(tx, thread.key));
  }

  async #publish(): Promise<void> {
    await this.#storage.write(async (tx) => {
      for (const { thread, merged, outcome } of this.#staged) {
        if (outcome === "unchanged") continue;
        const { id, key, row } = thread;
        await thread.requireRows(tx);
        const record = await tx.objectStore("threads").get(id);
        const there = record && threadKeyOf(id, record);
        if (outcome === "added" && there !== undefined) throw new ThreadChangedError({ thread: id });
        if (merged !== undefined) {
          const revision = there === merged.row.key ? await tx.objectStore("revisions").get(there) : undefined;
          if (revision === undefined || unpackRevision(merged.row.key, revision).number !== merged.revision.number) throw new ThreadChangedError({ thread: id });
        }
        if (there !== undefined) removeRows(tx, there);
        const { import: _, ...revision } = thread.revision;
        const isPin = record !== undefined && isPinned(id, record);
        put(tx, "threads", packThread(id, isPin ? { ...row, isPinned: true } : row), id);
        put(tx, "revisions", packRevision(key, revision), key);
      }
    });
    this.#isEnded = true;
    this.#announced();
  }
}

async function existing(tx: Reading, id: ThreadId): Promise<Existing | undefined> {
  const record = await tx.objectStore("threads").get(id);
  if (record === undefined) return undefined;
  const key = threadKeyOf(id, record);
  return { row: unpackThread(id, record), revision: unpackRevision(key, await tx.objectStore("revisions").get(key)) };
}

/** A pin is of this device: a thread keeps that of the one whose place it takes, if that can be read. */
function isPinned(id: ThreadId, record: Parameters<typeof unpackThread>[1]): boolean {
  try {
    return unpackThread(id, record).isPinned === true;
  } catch {
    return false;
  }
}
