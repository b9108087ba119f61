import type { ArchivedTask, ArchivedValue, ArchivedWrite, ArchiveRecord } from "../archive/index.ts";
import { DamagedError, ThreadChangedError } from "../errors/index.ts";
import { type Channel, type CheckpointId, idOf, type Namespace, ranges, type Reading, type ThreadId, type ThreadKey } from "../idb/index.ts";
import type { CheckpointRow } from "./checkpoint-row.ts";
import { ElementNumbers } from "./element-numbers.ts";
import { LOST } from "./lost.ts";
import type { NamespaceState } from "./namespace.ts";
import type { StepOfPast } from "./past.ts";
import type { Ref } from "./ref.ts";
import { Threads, type ThreadState } from "./thread.ts";
import type { Write, Writes } from "./writes-row.ts";

/** Content kept in memory from one transaction to the next. */
const MEMORY_BYTES = 8 * 1024 * 1024;

/** Records are gathered up to so many bytes, and then as many as the checkpoint has that is under way. */
const BATCH_BYTES = 1024 * 1024;

/** Elements to one record. */
const ELEMENTS_BYTES = 256 * 1024;

/** Supersteps of a past to one record. */
const STEPS = 256;

/** Checkpoints to one request. */
const PAGE = 64;

/**
 * Reads threads as records, in the order that a file has them: checkpoints branch by branch, each behind the elements that it is the
 * first to need, and before what was written on it. A batch is of one moment. Between two batches the thread may go on: each checkpoint is
 * complete by itself, so what is read is what there was when it was read. But if something was removed meanwhile it would not be: what was read is
 * part of histories, and where an element was another may be.
 */
export class RecordReader {
  readonly #threads: readonly ThreadId[];
  readonly #known = new Threads(MEMORY_BYTES);
  /** Of the thread under way, how often something was removed when it was begun. */
  #removals = 0;
  readonly #steps: AsyncGenerator<void, void>;
  #tx: Reading | undefined;
  #batch: ArchiveRecord[] = [];
  #bytes = 0;

  constructor(threads: readonly ThreadId[]) {
    this.#threads = threads;
    this.#steps = this.#run();
  }

  /** The next records, at least one. None: that was all. After an error there are no more. */
  async next(tx: Reading): Promise<readonly ArchiveRecord[]> {
    this.#tx = tx;
    this.#batch = [];
    this.#bytes = 0;
    await this.#steps.next();
    return this.#batch;
  }

  get #reading(): Reading {
    return this.#tx!;
  }

  get #isFull(): boolean {
    return this.#bytes >= BATCH_BYTES;
  }

  async *#run(): AsyncGenerator<void, void> {
    for (const thread of this.#threads) yield* this.#thread(thread);
  }

  async *#thread(thread: ThreadId): AsyncGenerator<void, void> {
    const state = await this.#enter(thread);
    if (state === undefined) return; // Deleted since it was listed.
    this.#removals = state.revision.removals;
    const { created, title, metadata, key } = state.row;
    this.#add(64, {
      kind: "thread",
      id: thread,
      created,
      updated: state.revision.updated,
      ...(title === undefined ? {} : { title }),
      ...(metadata === undefined ? {} : { metadata }),
    });
    let name: Namespace | undefined;
    while ((name = await this.#namespaceAfter(key, name)) !== undefined) {
      this.#add(name.length, { kind: "namespace", name });
      const numbers = new Map<Channel, ElementNumbers>();
      yield* this.#checkpoints(thread, key, name, numbers);
      yield* this.#looseWrites(thread, key, name, numbers);
    }
  }

  async *#checkpoints(thread: ThreadId, key: ThreadKey, name: Namespace, numbers: Map<Channel, ElementNumbers>): AsyncGenerator<void, void> {
    let after: CheckpointRow | undefined;
    for (;;) {
      const space = await this.#space(thread, key, name);
      const found = await this.#reading.objectStore("checkpoints").index("lineage").getAllKeys(ranges.lineageAfter(key, name, after), PAGE);
      if (found.length === 0) return;
      const ids = found.map((each) => idOf<CheckpointId>(each[2]));
      const rows = await space.checkpoints(this.#reading, ids);
      const places = ids.map((id) => ({ id, row: rows.get(id)! }));
      const writes = await space.journal.read(this.#reading, places.map(({ id, row: { branch, depth } }) => ({ id, branch, depth })));
      for (const { id, row } of places) {
        await this.#checkpoint(space, id, row, numbers);
        if (row.past !== undefined) await this.#past(space, id, numbers);
        await this.#writes(space, id, writes.get(id)!, numbers);
        after = row;
        if (this.#isFull) break;
      }
      if (this.#isFull) yield;
    }
  }

  /** Writes whose checkpoint is not there, yet or any more. */
  async *#looseWrites(thread: ThreadId, key: ThreadKey, name: Namespace, numbers: Map<Channel, ElementNumbers>): AsyncGenerator<void, void> {
    let after: CheckpointId | undefined;
    for (;;) {
      const space = await this.#space(thread, key, name);
      const found = await this.#reading.objectStore("writes").getKey(ranges.writesAfter(key, name, after));
      if (found === undefined) return;
      after = idOf<CheckpointId>(found[2]);
      if ((await space.checkpoint(this.#reading, after)) !== undefined) continue;
      await this.#writes(space, after, (await space.journal.readRows(this.#reading, [after])).get(after)!, numbers);
      if (this.#isFull) yield;
    }
  }

  async #checkpoint(space: NamespaceState, id: CheckpointId, { parent, past, head, channels }: CheckpointRow, numbers: Map<Channel, ElementNumbers>): Promise<void> {
    space.lost.require(id, "past");
    const archived = [];
    for (const { name, version, ref } of channels) {
      if (version === undefined && ref === undefined) continue; // It only says where an earlier one is.
      archived.push({
        name,
        ...(version === undefined ? {} : { version }),
        ...(ref === undefined ? {} : { value: await this.#value(space, name, ref, numbers) }),
      });
    }
    this.#add(head.length + 64, {
      kind: "checkpoint",
      id,
      ...(parent === undefined ? {} : { parent }),
      ...(past === undefined ? {} : { hasPast: true }),
      head,
      channels: archived,
    });
  }

  async #past(space: NamespaceState, checkpoint: CheckpointId, numbers: Map<Channel, ElementNumbers>): Promise<void> {
    const past = await space.past(this.#reading, checkpoint);
    const seeds = [];
    for (const [channel, ref] of past.seeds) seeds.push({ channel, value: await this.#value(space, channel, ref, numbers) });
    for (let from = 0; from < past.steps.length || seeds.length > 0; from += STEPS) {
      const steps = [];
      for (const step of past.steps.slice(from, from + STEPS)) steps.push(await this.#step(space, step, numbers));
      this.#add(64, { kind: "past", checkpoint, seeds: seeds.splice(0), steps });
    }
  }

  async #step(space: NamespaceState, step: StepOfPast, numbers: Map<Channel, ElementNumbers>): Promise<ArchivedTask[]> {
    const tasks = new Map<string, ArchivedWrite[]>();
    for (const [task, write] of step) tasks.set(task, [...(tasks.get(task) ?? []), await this.#write(space, write, numbers)]);
    return [...tasks].map(([task, writes]) => ({ task, writes }));
  }

  async #writes(space: NamespaceState, checkpoint: CheckpointId, byTask: Writes, numbers: Map<Channel, ElementNumbers>): Promise<void> {
    for (const [task, writes] of byTask) {
      const archived = [];
      for (const write of writes) archived.push(await this.#write(space, write, numbers));
      this.#add(64, { kind: "writes", checkpoint, task, writes: archived });
    }
  }

  async #write(space: NamespaceState, { index, channel, path, ref }: Write, numbers: Map<Channel, ElementNumbers>): Promise<ArchivedWrite> {
    return { index, channel, path, value: await this.#value(space, channel, ref, numbers) };
  }

  async #value(space: NamespaceState, channel: Channel, ref: Ref, numbers: Map<Channel, ElementNumbers>): Promise<ArchivedValue> {
    if (ref === LOST) throw new DamagedError({ store: "content", key: JSON.stringify([space.thread, space.name, channel]) });
    if ("bytes" in ref) {
      this.#bytes += ref.bytes.length;
      return ref;
    }
    const known = numbers.get(channel) ?? new ElementNumbers();
    numbers.set(channel, known);
    for (const piece of ref.pieces) {
      for (const missing of known.missing(piece)) {
        const log = space.log(channel, missing.log);
        const end = missing.start + missing.length;
        await log.fetch(this.#reading, missing.start, end);
        this.#elements(channel, log.require(missing.start, end));
        known.add(missing);
      }
    }
    const pieces = known.of(ref.pieces);
    this.#bytes += pieces.length;
    return { shape: ref.shape, pieces };
  }

  #elements(channel: Channel, elements: readonly Uint8Array[]): void {
    let [first, size] = [0, 0];
    for (const [index, { length }] of elements.entries()) {
      size += length;
      if (size < ELEMENTS_BYTES && index < elements.length - 1) continue;
      this.#add(size, { kind: "elements", channel, elements: elements.slice(first, index + 1) });
      [first, size] = [index + 1, 0];
    }
  }

  #add(bytes: number, record: ArchiveRecord): void {
    this.#batch.push(record);
    this.#bytes += bytes;
  }

  async #enter(thread: ThreadId): Promise<ThreadState | undefined> {
    const state = await this.#known.enter(this.#reading, thread);
    if (state?.damage !== undefined) throw state.damage;
    return state;
  }

  /** What is known of the namespace in this transaction. */
  async #space(thread: ThreadId, key: ThreadKey, name: Namespace): Promise<NamespaceState> {
    const state = await this.#enter(thread);
    if (state?.key !== key || state.revision.removals !== this.#removals) throw new ThreadChangedError({ thread });
    return state.namespace(name);
  }

  async #namespaceAfter(key: ThreadKey, name: Namespace | undefined): Promise<Namespace | undefined> {
    const range = ranges.afterNamespace(key, name);
    const found = await Promise.all((["checkpoints", "writes"] as const).map((store) => this.#reading.objectStore(store).getKey(range)));
    return found.flatMap((each) => (each === undefined ? [] : each[1])).sort().at(0);
  }
}
