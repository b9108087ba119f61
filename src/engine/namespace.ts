import {
  type Branch,
  type Channel,
  type CheckpointId,
  idOf,
  keys,
  type Namespace,
  ranges,
  type Reading,
  readByKeys,
  type ThreadKey,
} from "../idb/index.ts";
import { DamagedError } from "../errors/index.ts";
import { type CheckpointRow, unpackCheckpoint } from "./checkpoint-row.ts";
import { Journal } from "./journal.ts";
import { Lineage } from "./lineage.ts";
import { Log } from "./log.ts";
import { type Loss, Losses } from "./lost.ts";
import { checkpointBytes, pastBytes } from "./memory.ts";
import { type Past, readPast } from "./past.ts";
import { Recent } from "./recent.ts";

/** How many checkpoint rows of a namespace are kept decoded. */
const KEPT_CHECKPOINTS = 1024;

const KEPT_PASTS = 8;

/** What this realm knows of one namespace of a thread. Whatever it does not know it reads. */
export class NamespaceState {
  readonly thread: ThreadKey;
  readonly name: Namespace;
  readonly journal: Journal;
  /** What repairs could not save. */
  readonly lost: Losses;
  /** Where the last checkpoint was put from here: the likeliest branch of the next one. */
  lastBranch: Branch | undefined;
  readonly #logs = new Map<Channel, Map<Branch, Log>>();
  readonly #checkpoints = new Recent<CheckpointId, CheckpointRow>(KEPT_CHECKPOINTS, checkpointBytes);
  readonly #pasts = new Recent<CheckpointId, Past>(KEPT_PASTS, pastBytes);
  readonly #tips = new Map<Branch, number>();
  readonly #branches = new Map<Branch, Promise<Branch[]>>();
  readonly #lineage = new Lineage();
  #newest: { readonly id: CheckpointId | undefined } | undefined;
  #finding: { readonly tx: Reading; readonly newest: Promise<CheckpointId | undefined> } | undefined;
  /** Checkpoints whose writes came before any checkpoint was put from here, so that their content has no log yet. */
  readonly #early = new Set<CheckpointId>();
  /** Goes up when another writer was noticed. */
  #sync = 0;

  constructor(thread: ThreadKey, name: Namespace, losses: readonly Loss[] = []) {
    this.thread = thread;
    this.name = name;
    this.lost = new Losses(thread, name, losses);
    this.journal = new Journal(this);
  }

  /** About the memory that this holds, in bytes: of content, rows, writes and ids. */
  get bytes(): number {
    let sum = this.#checkpoints.bytes + this.#pasts.bytes + this.journal.bytes + this.#lineage.bytes;
    for (const logs of this.#logs.values()) for (const log of logs.values()) sum += log.bytes;
    return sum;
  }

  /** Another tab has written: all that is left are the logs. */
  forget(): void {
    this.#sync++;
    this.#checkpoints.clear();
    this.#pasts.clear();
    this.#tips.clear();
    this.#branches.clear();
    this.#lineage.clear();
    this.#newest = undefined;
    this.#finding = undefined;
    this.lastBranch = undefined;
    this.#early.clear();
    this.journal.forget();
  }

  /** Writes were stored on a checkpoint that is not there yet, with their content in their rows. */
  cameEarly(id: CheckpointId): void {
    this.#early.add(id);
  }

  /** Whether a checkpoint that is not there yet may have such writes. */
  mayHaveEarly(id: CheckpointId): boolean {
    return this.lastBranch === undefined || this.#early.delete(id);
  }

  log(channel: Channel, branch: Branch): Log {
    let logs = this.#logs.get(channel);
    if (logs === undefined) this.#logs.set(channel, (logs = new Map<Branch, Log>()));
    let log = logs.get(branch);
    if (log === undefined) logs.set(branch, (log = new Log([this.thread, this.name, channel, branch])));
    return log;
  }

  /** The log with its length known, so that elements can be added to it. */
  async openLog(tx: Reading, channel: Channel, branch: Branch): Promise<Log> {
    const log = this.log(channel, branch);
    await log.refresh(tx, this.#sync);
    return log;
  }

  /** @throws DamagedError also for one that a repair could not save */
  async checkpoint(tx: Reading, id: CheckpointId): Promise<CheckpointRow | undefined> {
    this.lost.require(id, "row");
    const known = this.#checkpoints.get(id);
    if (known !== undefined || this.#isNewer(id)) return known;
    const record = await tx.objectStore("checkpoints").get(keys.checkpoint(this.thread, this.name, id));
    return record === undefined ? undefined : this.#unpack(id, record);
  }

  /** Many at once. The ones that do not exist are left out. */
  async checkpoints(tx: Reading, ids: readonly CheckpointId[]): Promise<Map<CheckpointId, CheckpointRow>> {
    for (const id of ids) this.lost.require(id, "row");
    const missing = ids.filter((id) => !this.#checkpoints.has(id));
    const found = new Map<CheckpointId, CheckpointRow>();
    await readByKeys(tx.objectStore("checkpoints"), missing.map((id) => keys.checkpoint(this.thread, this.name, id)), (key, record) => {
      const id = idOf<CheckpointId>(key[2]);
      found.set(id, this.#unpack(id, record));
    });
    for (const id of ids) {
      const known = this.#checkpoints.get(id);
      if (known !== undefined) found.set(id, known);
    }
    return found;
  }

  /** What the history of a checkpoint was whose ancestors were removed. */
  async past(tx: Reading, id: CheckpointId): Promise<Past> {
    this.lost.require(id, "past");
    const known = this.#pasts.get(id);
    if (known !== undefined) return known;
    const row = await this.checkpoint(tx, id);
    const past = await readPast(tx, [this.thread, this.name, id], row?.past?.rows ?? 0);
    this.#pasts.set(id, past);
    return past;
  }

  /** The newest checkpoint that is whole: the one with the greatest id. */
  async newest(tx: Reading): Promise<CheckpointId | undefined> {
    if (this.#newest !== undefined) return this.#newest.id;
    if (this.#finding?.tx !== tx) this.#finding = { tx, newest: this.#findNewest(tx) };
    return this.#finding.newest;
  }

  async #findNewest(tx: Reading): Promise<CheckpointId | undefined> {
    const finding = this.#findLast(tx);
    await this.journal.learnLast(tx, finding);
    this.#newest = { id: await finding };
    this.#finding = undefined;
    return this.#newest.id;
  }

  /** With its row, which is what is wanted next. */
  async #findLast(tx: Reading): Promise<CheckpointId | undefined> {
    const store = tx.objectStore("checkpoints");
    const last = async (range: ReturnType<typeof ranges.uuids>): Promise<{ id: CheckpointId; record: unknown }[]> => {
      for (let cursor = await store.openCursor(range, "prev"); cursor !== null; ) {
        const id = idOf<CheckpointId>(cursor.primaryKey[2]);
        if (!this.lost.has(id)) return [{ id, record: cursor.value }];
        cursor = await store.openCursor(ranges.before(range, cursor.primaryKey), "prev");
      }
      return [];
    };
    const found = (await Promise.all([ranges.uuids, ranges.otherIds].map((range) => last(range(this.thread, this.name))))).flat();
    const newest = found.sort((a, b) => (a.id < b.id ? -1 : 1)).at(-1);
    try {
      if (newest !== undefined) this.#unpack(newest.id, newest.record);
    } catch {
      // Who reads it is told that it is damaged.
    }
    return newest?.id;
  }

  /**
   * The checkpoints at depths of a branch, both included, in their order: fewer than that if there are gaps.
   *
   * @throws DamagedError if one of another namespace says that it is there
   */
  async idsBetween(tx: Reading, branch: Branch, from: number, to: number): Promise<readonly CheckpointId[]> {
    return this.#lineage.between(branch, from, to, async (first, last) => {
      const lineage = tx.objectStore("checkpoints").index("lineage");
      const found = await lineage.getAllKeys(ranges.lineage(this.thread, this.name, branch, first, last));
      const foreign = found.find(([thread, name]) => thread !== this.thread || name !== this.name);
      if (foreign !== undefined) throw new DamagedError({ store: "checkpoints", key: JSON.stringify([foreign[0], foreign[1], idOf(foreign[2])]) });
      return found.map((key) => idOf<CheckpointId>(key[2]));
    });
  }

  /** To be told of every row that is put. */
  placed(id: CheckpointId, row: CheckpointRow, vacated: CheckpointRow | undefined): void {
    this.#checkpoints.set(id, row);
    this.lastBranch = row.branch;
    if (this.#newest !== undefined && (this.#newest.id ?? "") < id) this.#newest = { id };
    if (vacated !== undefined) this.#branches.clear();
    if (vacated !== undefined && vacated.branch === row.branch && vacated.depth === row.depth) return;
    if (vacated === undefined) this.#lineage.add(row.branch, row.depth, id);
    else this.#lineage.clear();
    if (vacated !== undefined) this.#tips.delete(vacated.branch);
    this.#tips.set(row.branch, row.depth);
  }

  /** The depth of the last checkpoint of a branch. */
  async tip(tx: Reading, branch: Branch): Promise<number> {
    const known = this.#tips.get(branch);
    if (known !== undefined) return known;
    const lineage = tx.objectStore("checkpoints").index("lineage");
    const cursor = await lineage.openKeyCursor(ranges.branch(this.thread, this.name, branch), "prev");
    const depth = cursor === null ? -1 : cursor.key[3];
    this.#tips.set(branch, depth);
    return depth;
  }

  /** The branches that the path of a branch runs through, or ran through before some of it was removed; itself first, as far as it can be read. */
  branchesOf(tx: Reading, branch: Branch): Promise<Branch[]> {
    let branches = this.#branches.get(branch);
    if (branches === undefined) {
      this.#branches.set(branch, (branches = this.#findBranches(tx, branch)));
      branches.catch(() => this.#branches.delete(branch));
    }
    return branches;
  }

  async #findBranches(tx: Reading, branch: Branch): Promise<Branch[]> {
    const branches = new Set<Branch>();
    const visited = new Set<Branch>();
    const lineage = tx.objectStore("checkpoints").index("lineage");
    for (let next: Branch | undefined = branch; next !== undefined && !visited.has(next); ) {
      visited.add(next);
      branches.add(next);
      const start = await lineage.getKey(ranges.branch(this.thread, this.name, next));
      const first = start && (await this.#readable(tx, idOf(start[2])));
      for (const each of first?.past?.branches ?? []) branches.add(each);
      next = first?.parent && (await this.#readable(tx, first.parent))?.branch;
    }
    return [...branches];
  }

  /** One that is damaged counts as one that is not there. */
  #readable(tx: Reading, id: CheckpointId): Promise<CheckpointRow | undefined> {
    return this.checkpoint(tx, id).catch((error: unknown) => {
      if (error instanceof DamagedError) return undefined;
      throw error;
    });
  }

  /** The checkpoints that happen to be at hand. */
  remembered(): Iterable<CheckpointRow> {
    return this.#checkpoints.values();
  }

  #isNewer(id: CheckpointId): boolean {
    return this.#newest !== undefined && (this.#newest.id ?? "") < id && !this.lost.has(id);
  }

  #unpack(id: CheckpointId, record: unknown): CheckpointRow {
    const row = unpackCheckpoint([this.thread, this.name, id], record);
    this.#checkpoints.set(id, row);
    return row;
  }
}
