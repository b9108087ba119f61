import type { Namespace, Reading, ThreadId, ThreadKey, ThreadRecord } from "../idb/index.ts";
import type { Assumptions } from "./assumptions.ts";
import { NamespaceState } from "./namespace.ts";
import { type Revision, threadKeyOf, type ThreadRow, unpackRevision, unpackThread } from "./thread-row.ts";

const KEPT_THREADS = 64;

/** After so many transactions without another writer, the next ones take it for granted that there is none. */
const QUIET = 8;

/**
 * What this realm knows of one thread, at one revision of it. Every transaction begins by asking for the thread's revision: if it is
 * the same, everything here still holds; at another, another tab has written, and only the logs do, being append-only; if
 * something was removed meanwhile, or the thread was deleted, nothing does.
 */
export class ThreadState {
  readonly id: ThreadId;
  row: ThreadRow;
  revision: Revision;
  /** The row that says so is not stored yet. */
  isNew: boolean;
  isDeleted = false;
  /** A row of the thread cannot be read. Checkpoints and content still can, but nothing can be added. */
  readonly damage: Error | undefined;
  readonly #namespaces: Map<Namespace, NamespaceState>;
  #quiet = 0;

  constructor(
    id: ThreadId,
    row: ThreadRow,
    revision: Revision,
    { isNew = false, damage, namespaces = new Map() }: { isNew?: boolean; damage?: Error; namespaces?: Map<Namespace, NamespaceState> } = {},
  ) {
    this.id = id;
    this.row = row;
    this.revision = revision;
    this.isNew = isNew;
    this.damage = damage;
    this.#namespaces = namespaces;
  }

  get key(): ThreadKey {
    return this.row.key;
  }

  /** About the memory that this holds, in bytes. */
  get bytes(): number {
    let sum = 0;
    for (const namespace of this.#namespaces.values()) sum += namespace.bytes;
    return sum;
  }

  /** What each of its checkpoints adds to it, on average. */
  get bytesPerCheckpoint(): number {
    return this.revision.bytes / Math.max(1, this.revision.checkpoints);
  }

  get isQuiet(): boolean {
    return this.#quiet >= QUIET;
  }

  namespace(name: Namespace): NamespaceState {
    let state = this.#namespaces.get(name);
    if (state === undefined) this.#namespaces.set(name, (state = new NamespaceState(this.key, name, this.row.lost)));
    return state;
  }

  /** Brings this to the revision just read, since which nothing was removed. */
  adopt(revision: Revision): void {
    this.#quiet++;
    if (revision.number !== this.revision.number) {
      this.#quiet = 0;
      for (const namespace of this.#namespaces.values()) namespace.forget();
    }
    this.revision = revision;
  }

  /** Something of the thread was removed: nothing that is remembered of it has to be there still. */
  removed({ checkpoints, bytes }: { readonly checkpoints: number; readonly bytes: number }): void {
    this.#namespaces.clear();
    this.revision.checkpoints -= checkpoints;
    this.revision.bytes = Math.max(0, this.revision.bytes - bytes);
    this.revision.removals++;
  }
}

/** The threads that this realm remembers, within bounds of bytes and of number; the least recently used go first. */
export class Threads {
  readonly #states = new Map<ThreadId, ThreadState>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * The state of a thread as of this transaction, for reading.
   *
   * @param newestOf the namespace whose newest checkpoint will be wanted: then that is looked for at once
   */
  async enter(tx: Reading, thread: ThreadId, newestOf?: Namespace): Promise<ThreadState | undefined> {
    const state = await this.#take(tx, thread, newestOf);
    if (state !== undefined) this.keep(state);
    return state;
  }

  /** The same for writing: it is not remembered until {@link keep}, so that nothing is left of a write that fails. */
  async take(tx: Reading, thread: ThreadId, assumptions: Assumptions): Promise<ThreadState | undefined> {
    const known = this.#states.get(thread);
    if (known?.isQuiet !== true || !assumptions.allowed) return this.#take(tx, thread);
    this.#states.delete(thread);
    const { number } = known.revision;
    assumptions.assume(revisionOf(tx, known.key).then((found) => found?.number === number));
    return known;
  }

  async #take(tx: Reading, thread: ThreadId, newestOf?: Namespace): Promise<ThreadState | undefined> {
    const known = this.#states.get(thread);
    this.#states.delete(thread);
    if (known !== undefined && known.bytes <= this.#limit) {
      const revision = await revisionOf(tx, known.key).catch(() => undefined);
      if (revision !== undefined && revision.removals === known.revision.removals) {
        known.adopt(revision);
        return known;
      }
    }
    const record = await tx.objectStore("threads").get(thread);
    if (record === undefined) return undefined;
    const key = threadKeyOf(thread, record);
    const namespaces = new Map<Namespace, NamespaceState>();
    if (newestOf !== undefined) {
      const space = new NamespaceState(key, newestOf, lostOf(thread, record));
      namespaces.set(newestOf, space);
      space.newest(tx).catch(() => undefined); // Who asks for it is told.
    }
    try {
      const revision = await revisionOf(tx, key);
      return new ThreadState(thread, unpackThread(thread, record), revision ?? unpackRevision(key, revision), { namespaces });
    } catch (damage) {
      const lost = { number: 0, updated: 0, checkpoints: 0, branches: 0, bytes: 0, removals: 0 };
      return new ThreadState(thread, { key, created: 0 }, lost, { damage: damage as Error, namespaces });
    }
  }

  keep(state: ThreadState): void {
    if (state.damage !== undefined) return;
    this.#states.delete(state.id);
    this.#states.set(state.id, state);
    let bytes = 0;
    for (const each of this.#states.values()) bytes += each.bytes;
    for (const [thread, each] of this.#states) {
      if ((bytes <= this.#limit && this.#states.size <= KEPT_THREADS) || each === state) break;
      this.#states.delete(thread);
      bytes -= each.bytes;
    }
  }
}

/** Of a row that cannot be read none are known: whoever needs more of the row is told. */
function lostOf(thread: ThreadId, record: ThreadRecord): ThreadRow["lost"] {
  try {
    return unpackThread(thread, record).lost;
  } catch {
    return undefined;
  }
}

async function revisionOf(tx: Reading, key: ThreadKey): Promise<Revision | undefined> {
  const sealed = await tx.objectStore("revisions").get(key);
  return sealed === undefined ? undefined : unpackRevision(key, sealed);
}
