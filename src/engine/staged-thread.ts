import type { ArchivedValue, ArchiveRecord, CheckpointRecord, PastRecord, WritesRecord } from "../archive/index.ts";
import { InternalError, ThreadChangedError, UnsupportedFileError } from "../errors/index.ts";
import { type Branch, type Channel, type CheckpointId, type Namespace, put, type TaskId, type ThreadId, type ThreadKey, type Writing } from "../idb/index.ts";
import { Assumptions } from "./assumptions.ts";
import type { ChannelRow, CheckpointRow } from "./checkpoint-row.ts";
import { ElementPlaces } from "./element-places.ts";
import { extendPast } from "./extend-past.ts";
import type { Log } from "./log.ts";
import type { NamespaceState } from "./namespace.ts";
import type { StepOfPast } from "./past.ts";
import { logsOnPath, placeCheckpoint, type Where } from "./put-checkpoint.ts";
import { isReadable, type Piece, type Ref } from "./ref.ts";
import { SeenElements } from "./seen-elements.ts";
import { inline, isBrief, place, requireStorable } from "./store-value.ts";
import { packRevision, type Revision, type ThreadRow } from "./thread-row.ts";
import { ThreadState } from "./thread.ts";
import type { EncodedValue } from "./types.ts";
import type { Write } from "./writes-row.ts";

/** Content kept in memory from one transaction to the next. */
const MEMORY_BYTES = 32 * 1024 * 1024;

const ALWAYS = new Assumptions(false);

type LogsAt = () => Promise<[Log, ...Log[]]>;

/** The elements of one channel of a file. */
interface Elements {
  readonly places: ElementPlaces;
  /** Those that no log has yet. */
  waiting: Uint8Array[];
}

/**
 * A thread that is made from records, in rows that nobody finds until its own row is stored: so that it appears whole, or not at
 * all. What it has already is left as it is: checkpoints by their id, writes by task and index.
 */
export class StagedThread {
  #state: ThreadState;
  /** Whether elements may be there already, in any log on the path, and have to be looked for. */
  #searches = false;
  /** There are rows. */
  #isStored = false;
  #space: Namespace = "" as Namespace;
  #elements = new Map<string, Elements>();
  /** By log: elements that different logs held where the records are from can come together in one. */
  readonly #seen = new Map<string, SeenElements>();
  /** The last checkpoint that brought a past: if it was there already it keeps what it has. */
  #withPast: CheckpointId | undefined;
  readonly added = { checkpoints: 0, writes: 0 };

  constructor(id: ThreadId, row: ThreadRow, revision: Revision) {
    this.#state = new ThreadState(id, row, revision);
  }

  get id(): ThreadId {
    return this.#state.id;
  }

  get key(): ThreadKey {
    return this.#state.key;
  }

  get row(): ThreadRow {
    return this.#state.row;
  }

  get revision(): Revision {
    return this.#state.revision;
  }

  /** What comes now are the records of another source. */
  beginMerge(row: ThreadRow): void {
    this.#state.row = row;
    this.#searches = true;
    this.#elements = new Map();
    this.added.checkpoints = this.added.writes = 0;
  }

  /** There are no more records for now: nothing of its content is kept in memory. */
  rest(): void {
    this.#state = new ThreadState(this.id, this.row, this.revision);
    this.#elements = new Map();
    this.#seen.clear();
  }

  /** @throws ThreadChangedError if somebody has taken the rows for left behind, and removed them */
  async requireRows(tx: Writing): Promise<void> {
    if (this.#isStored && (await tx.objectStore("revisions").getKey(this.key)) === undefined) throw new ThreadChangedError({ thread: this.id });
  }

  /** Stores what records say: those of namespaces, elements, checkpoints, pasts and writes. If that fails the thread is of no use any more. */
  async apply(tx: Writing, records: readonly ArchiveRecord[]): Promise<void> {
    await this.requireRows(tx);
    if (this.#state.bytes > MEMORY_BYTES) this.#state = new ThreadState(this.id, this.row, this.revision);
    const logs = new Set<Log>();
    for (const record of records) {
      if (record.kind === "namespace") this.#enter(record.name as Namespace);
      else if (record.kind === "elements") this.#of(record.channel as Channel).waiting.push(...record.elements);
      else if (record.kind === "checkpoint") await this.#checkpoint(tx, record, logs);
      else if (record.kind === "past") await this.#past(tx, record, logs);
      else if (record.kind === "writes") await this.#writes(tx, record, logs);
    }
    for (const log of logs) this.revision.bytes += await log.flush(tx);
    this.revision.number++;
    put(tx, "revisions", packRevision(this.key, { ...this.revision, updated: Date.now() }), this.key);
    this.#isStored = true;
  }

  #enter(name: Namespace): void {
    this.#space = name;
    this.#elements.clear();
    this.#seen.clear();
  }

  async #checkpoint(tx: Writing, record: CheckpointRecord, logs: Set<Log>): Promise<void> {
    const [id, parent] = [record.id as CheckpointId, record.parent as CheckpointId | undefined];
    const space = this.#state.namespace(this.#space);
    const existing = await space.checkpoint(tx, id);
    this.#withPast = existing === undefined && record.hasPast === true ? id : undefined;
    if (existing !== undefined) {
      const where = await whereIs(tx, space, existing);
      for (const { name, value } of record.channels) if (value !== undefined && "pieces" in value) await this.#settle(tx, name as Channel, () => this.#logsAt(where, name as Channel, logs));
      return;
    }
    const request = { namespace: this.#space, id, ...(parent === undefined ? {} : { parent }), head: record.head, ...(record.hasPast === true ? { past: { rows: 0, branches: [] } } : {}) };
    await placeCheckpoint(tx, this.#state, request, async (where) => {
      const rows: ChannelRow[] = [];
      for (const { name, version, value } of record.channels) {
        const channel = name as Channel;
        const ref = value && (await this.#ref(tx, channel, value, isBrief, () => this.#logsAt(where, channel, logs)));
        rows.push({ name: channel, ...(version === undefined ? {} : { version }), ...(ref === undefined ? {} : { ref }) });
      }
      return rows;
    });
    this.added.checkpoints++;
  }

  async #past(tx: Writing, { checkpoint, seeds, steps }: PastRecord, logs: Set<Log>): Promise<void> {
    const id = checkpoint as CheckpointId;
    const space = this.#state.namespace(this.#space);
    const row = await space.checkpoint(tx, id);
    if (row === undefined) throw new InternalError({ reason: `a past of the checkpoint "${id}", which did not come before it` });
    const where = await whereIs(tx, space, row);
    const refOf = (channel: Channel, value: ArchivedValue) => this.#ref(tx, channel, value, isBrief, () => this.#logsAt(where, channel, logs));
    const seedRefs = new Map<Channel, Ref>();
    for (const { channel, value } of seeds) seedRefs.set(channel as Channel, await refOf(channel as Channel, value));
    const stepRefs: StepOfPast[] = [];
    for (const step of steps) {
      const refs: [TaskId, Write][] = [];
      for (const { task, writes } of step) {
        for (const { index, channel: name, path, value } of writes) {
          const channel = name as Channel;
          refs.push([task as TaskId, { index, channel, path, ref: await refOf(channel, value) }]);
        }
      }
      stepRefs.push(refs);
    }
    if (this.#withPast === id) this.revision.bytes += extendPast(tx, space, id, row, { seeds: seedRefs, steps: stepRefs });
  }

  async #writes(tx: Writing, record: WritesRecord, logs: Set<Log>): Promise<void> {
    const [id, task] = [record.checkpoint as CheckpointId, record.task as TaskId];
    const space = this.#state.namespace(this.#space);
    const checkpoint = await space.checkpoint(tx, id);
    const at = checkpoint && { id, branch: checkpoint.branch, depth: checkpoint.depth };
    const branch = checkpoint?.branch ?? space.lastBranch ?? (0 as Branch);
    const logsAt = () => this.#ownLog(tx, space, branch, logs);
    const kept = new Map<number, Write>();
    for (const write of await space.journal.ofTask(tx, id, at, task, ALWAYS)) kept.set(write.index, write);
    const before = kept.size;
    for (const { index, channel: name, path, value } of record.writes) {
      const channel = name as Channel;
      const ref = await this.#ref(tx, channel, value, () => checkpoint === undefined, () => logsAt()(channel));
      if (!kept.has(index)) kept.set(index, { index, channel, path, ref });
    }
    if (kept.size === before) return;
    this.added.writes += kept.size - before;
    this.revision.bytes += await space.journal.put(tx, id, at, task, [...kept.values()]);
  }

  /** A value of the file as a row holds it. Bytes that are `small` enough stay in the row. */
  async #ref(tx: Writing, channel: Channel, value: ArchivedValue, small: (value: EncodedValue) => boolean, logsAt: LogsAt): Promise<Ref> {
    const ref = await this.#placed(tx, channel, value, small, logsAt);
    if (!isReadable(ref)) throw new UnsupportedFileError({ reason: `a value of the channel "${channel}" is of no kind that is known` });
    return ref;
  }

  async #placed(tx: Writing, channel: Channel, value: ArchivedValue, small: (value: EncodedValue) => boolean, logsAt: LogsAt): Promise<Ref> {
    if ("bytes" in value) {
      requireStorable(value, channel);
      const brief = inline(value) ?? (small(value) ? value : undefined);
      if (brief !== undefined) return brief;
      const places = new ElementPlaces();
      for (const piece of await this.#place(tx, channel, value, await logsAt())) places.add(piece);
      return { shape: value.shape, pieces: places.of([0, value.ends.length]) };
    }
    await this.#settle(tx, channel, logsAt);
    return { shape: value.shape, pieces: this.#of(channel).places.of(value.pieces) };
  }

  /** Finds or makes a place for the elements that came with the value. */
  async #settle(tx: Writing, channel: Channel, logsAt: LogsAt): Promise<void> {
    const elements = this.#of(channel);
    if (elements.waiting.length === 0) return;
    const value = listOf(elements.waiting);
    requireStorable(value, channel);
    for (const piece of await this.#place(tx, channel, value, await logsAt())) elements.places.add(piece);
    elements.waiting = [];
  }

  async #place(tx: Writing, channel: Channel, value: EncodedValue, logs: [Log, ...Log[]]): Promise<readonly Piece[]> {
    if (this.#searches) return place(value, logs, []).pieces;
    const [log] = logs;
    const name = `${log.name} ${channel}`;
    const seen = this.#seen.get(name) ?? new SeenElements();
    this.#seen.set(name, seen);
    const pieces: Piece[] = [];
    let from = 0;
    for (const end of value.ends) {
      const element = value.bytes.subarray(from, end);
      pieces.push({ log: log.name, start: (await seen.find(tx, log, element)) ?? seen.add(element, log.add(element)), length: 1 });
      from = end;
    }
    return pieces;
  }

  /** The logs for the values of a checkpoint, its branch's own first; with what they hold, if that has to be known. */
  async #logsAt(where: Where, channel: Channel, logs: Set<Log>): Promise<[Log, ...Log[]]> {
    if (this.#searches) return logsOnPath({ ...where, logs }, channel);
    return this.#ownLog(where.tx, where.space, where.branch, logs)(channel);
  }

  #ownLog(tx: Writing, space: NamespaceState, branch: Branch, logs: Set<Log>): (channel: Channel) => Promise<[Log, ...Log[]]> {
    return async (channel) => {
      const log = await space.openLog(tx, channel, branch);
      if (this.#searches) await log.fetch(tx, 0, log.length);
      logs.add(log);
      return [log];
    };
  }

  #of(channel: Channel): Elements {
    const elements = this.#elements.get(channel) ?? { places: new ElementPlaces(), waiting: [] };
    this.#elements.set(channel, elements);
    return elements;
  }
}

/** Where a checkpoint that is there has its content: what its past refers to was on a path that is gone. */
async function whereIs(tx: Writing, space: NamespaceState, existing: CheckpointRow): Promise<Where> {
  const parent = existing.parent === undefined ? undefined : await space.checkpoint(tx, existing.parent);
  return { tx, space, branch: existing.branch, existing, parent: existing.past === undefined ? parent : existing };
}

function listOf(elements: readonly Uint8Array[]): EncodedValue {
  const ends: number[] = [];
  let size = 0;
  for (const { length } of elements) ends.push((size += length));
  const bytes = new Uint8Array(size);
  for (const [index, element] of elements.entries()) bytes.set(element, ends[index]! - element.length);
  return { shape: 1, bytes, ends };
}
