import {
  type Branch,
  type Channel,
  type CheckpointId,
  type CheckpointKey,
  type Namespace,
  ranges,
  type Reading,
  type ThreadId,
  type ThreadKey,
} from "../idb/index.ts";
import { Log } from "./log.ts";
import { type CheckpointRow, threadKeyOf, type ThreadRow, unpackCheckpoint, unpackThread } from "./rows.ts";

/** How many checkpoint rows of a thread are kept decoded. */
const KEPT_CHECKPOINTS = 512;

const KEPT_THREADS = 64;

/**
 * What this realm knows of one thread, at one revision of it. Every transaction begins by reading the thread's row: at the
 * same revision everything here still holds; at another, another tab has written, and only the logs do, being append-only;
 * with another key the thread was deleted and made anew, and nothing does.
 */
export class ThreadState {
  readonly id: ThreadId;
  readonly #logs = new Map<string, Log>();
  readonly #checkpoints = new Map<string, CheckpointRow>();
  readonly #tips = new Map<string, number>();
  /** Goes up when another writer was noticed. */
  #sync = 0;
  row: ThreadRow;
  isDeleted = false;
  /** The row cannot be read. Checkpoints and content still can, but nothing can be added. */
  readonly damage: Error | undefined;

  constructor(id: ThreadId, row: ThreadRow, damage?: Error) {
    this.id = id;
    this.row = row;
    this.damage = damage;
  }

  get key(): ThreadKey {
    return this.row.key;
  }

  /** Memory that this holds, in bytes of content. */
  get bytes(): number {
    let sum = 0;
    for (const log of this.#logs.values()) sum += log.bytes;
    return sum;
  }

  /** Brings this to the row just read. False if it is about an earlier thread. */
  adopt(row: ThreadRow): boolean {
    if (row.key !== this.row.key) return false;
    if (row.revision !== this.row.revision) {
      this.#sync++;
      this.#checkpoints.clear();
      this.#tips.clear();
    }
    this.row = row;
    return true;
  }

  log(namespace: Namespace, channel: Channel, branch: Branch): Log {
    const name = JSON.stringify([namespace, channel, branch]);
    let log = this.#logs.get(name);
    if (log === undefined) this.#logs.set(name, (log = new Log([this.key, namespace, channel, branch])));
    return log;
  }

  /** The log with its length known, so that elements can be added to it. */
  async openLog(tx: Reading, namespace: Namespace, channel: Channel, branch: Branch): Promise<Log> {
    const log = this.log(namespace, channel, branch);
    await log.refresh(tx, this.#sync);
    return log;
  }

  async checkpoint(tx: Reading, namespace: Namespace, id: CheckpointId): Promise<CheckpointRow | undefined> {
    const name = JSON.stringify([namespace, id]);
    const known = this.#checkpoints.get(name);
    if (known !== undefined) return known;
    const key: CheckpointKey = [this.key, namespace, id];
    const record = await tx.objectStore("checkpoints").get(key);
    if (record === undefined) return undefined;
    const row = unpackCheckpoint(key, record);
    this.#remember(name, row);
    return row;
  }

  /** To be told of every row that is put. */
  placed(namespace: Namespace, id: CheckpointId, row: CheckpointRow, vacated: CheckpointRow | undefined): void {
    this.#remember(JSON.stringify([namespace, id]), row);
    if (vacated !== undefined && vacated.branch === row.branch && vacated.depth === row.depth) return;
    if (vacated !== undefined) this.#tips.delete(JSON.stringify([namespace, vacated.branch]));
    this.#tips.set(JSON.stringify([namespace, row.branch]), row.depth);
  }

  /** The depth of the last checkpoint of a branch. */
  async tip(tx: Reading, namespace: Namespace, branch: Branch): Promise<number> {
    const name = JSON.stringify([namespace, branch]);
    const known = this.#tips.get(name);
    if (known !== undefined) return known;
    const cursor = await tx
      .objectStore("checkpoints")
      .index("lineage")
      .openKeyCursor(ranges.branch(this.key, namespace, branch), "prev");
    const depth = cursor === null ? -1 : cursor.key[3];
    this.#tips.set(name, depth);
    return depth;
  }

  /** The first checkpoint of a branch. */
  async startOf(tx: Reading, namespace: Namespace, branch: Branch): Promise<CheckpointRow | undefined> {
    const lineage = tx.objectStore("checkpoints").index("lineage");
    const key = await lineage.getKey(ranges.branch(this.key, namespace, branch));
    return key === undefined ? undefined : this.checkpoint(tx, namespace, key[2]);
  }

  /** The checkpoints of a namespace that happen to be at hand. */
  remembered(namespace: Namespace): CheckpointRow[] {
    return [...this.#checkpoints].filter(([name]) => (JSON.parse(name) as [Namespace])[0] === namespace).map(([, row]) => row);
  }

  #remember(name: string, row: CheckpointRow): void {
    this.#checkpoints.delete(name);
    this.#checkpoints.set(name, row);
    if (this.#checkpoints.size > KEPT_CHECKPOINTS) this.#checkpoints.delete(this.#checkpoints.keys().next().value!);
  }
}

/** The threads that this realm remembers, within bounds of bytes and of number; the least recently used go first. */
export class Threads {
  readonly #states = new Map<ThreadId, ThreadState>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The state of a thread as of this transaction, for reading. */
  async enter(tx: Reading, thread: ThreadId): Promise<ThreadState | undefined> {
    const state = await this.take(tx, thread);
    if (state !== undefined) this.keep(state);
    return state;
  }

  /** The same for writing: it is not remembered until {@link keep}, so that nothing is left of a write that fails. */
  async take(tx: Reading, thread: ThreadId): Promise<ThreadState | undefined> {
    const record = await tx.objectStore("threads").get(thread);
    const known = this.#states.get(thread);
    this.#states.delete(thread);
    if (record === undefined) return undefined;
    const key = threadKeyOf(thread, record);
    let row: ThreadRow;
    try {
      row = unpackThread(thread, record);
    } catch (damage) {
      const lost = { key, revision: 0, created: 0, checkpoints: 0, branches: 0, bytes: 0 };
      return new ThreadState(thread, lost, damage as Error);
    }
    return known !== undefined && known.bytes <= this.#limit && known.adopt(row) ? known : new ThreadState(thread, row);
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
