import { type Channel, type CheckpointId, type CheckpointRecord, contentPages, idOf, keys, type Namespace, pages, put, ranges, remove, type Sealed, type TaskId, THREAD_STORES, type ThreadId, type ThreadKey, type ThreadRecord, type Writing } from "../idb/index.ts";
import { type CheckpointRow, packCheckpoint, packLost, unpackCheckpoint } from "./checkpoint-row.ts";
import { packElements, unpackElements } from "./elements.ts";
import { blockOf } from "./journal.ts";
import { BLOCK } from "./log.ts";
import { type Loss, type LostPart, LOST } from "./lost.ts";
import { newThreadKey } from "./new-thread-key.ts";
import { type Past, packPast, unpackPast } from "./past.ts";
import { linked, linkOf } from "./put-checkpoint.ts";
import type { Ref } from "./ref.ts";
import { packRevision, packThread, type Revision, threadKeyOf, type ThreadRow, unpackRevision, unpackThread } from "./thread-row.ts";
import type { RepairReply, VerifyRequest } from "./types.ts";
import { verifyStrays, verifyThread } from "./verify.ts";
import { Contents } from "./verify-content.ts";
import { Report } from "./verify-report.ts";
import { isWhole } from "./well-formed.ts";
import { packBlock, packWrites, unpackBlock, unpackWrites, type Write } from "./writes-row.ts";

const PAGE = 64;

/**
 * Makes what can be read of one thread consistent again; after the last one, removes rows of no thread. A thread without a problem is left alone. Of
 * another all readable rows are written anew under a new key, in one transaction: so nobody goes on with what he remembers of the old ones.
 */
export async function repair(tx: Writing, { after }: VerifyRequest): Promise<RepairReply> {
  const [thread] = await tx.objectStore("threads").getAllKeys(ranges.threadsAfter(after), 1);
  if (thread === undefined) return { repaired: [], dropped: await removeStrays(tx) };
  const found = new Report(thread);
  await verifyThread(tx, thread, found);
  if (found.problems.length === 0) return { repaired: [], dropped: [], next: thread };
  const dropped = new Report(thread);
  await repairThread(tx, thread, dropped);
  return { repaired: [thread], dropped: dropped.problems, next: thread };
}

async function removeStrays(tx: Writing): Promise<RepairReply["dropped"]> {
  const { problems, strays } = await verifyStrays(tx);
  for (const { store, thread } of strays) remove(tx, store, store === "revisions" ? thread : ranges.thread(thread));
  return problems;
}

async function repairThread(tx: Writing, thread: ThreadId, dropped: Report): Promise<void> {
  const record = (await tx.objectStore("threads").get(thread)) as ThreadRecord;
  const where = { store: "threads", key: thread };
  const row = readableOr(undefined, () => unpackThread(thread, record));
  const from = readableOr(row?.key, () => threadKeyOf(thread, record));
  if (from === undefined) {
    dropped.problem("damaged", where, "How its other rows are to be found is lost, and so are they: the thread is removed.");
    return remove(tx, "threads", thread);
  }
  if (row === undefined) dropped.problem("damaged", where, "Its title and metadata are lost.");
  const sealed = await tx.objectStore("revisions").get(from);
  const known = readableOr(undefined, () => unpackRevision(from, sealed));
  if (known === undefined) dropped.problem("damaged", { store: "revisions", key: from }, "When it was changed last is lost.");
  await new Renewal(tx, thread, { row: row ?? { key: from, created: known?.updated ?? Date.now() }, from, known, dropped }).run();
}

function readableOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

interface Old {
  readonly row: ThreadRow;
  readonly from: ThreadKey;
  readonly known: Revision | undefined;
  readonly dropped: Report;
}

interface Place {
  readonly namespace: Namespace;
  readonly branch: number;
  readonly depth: number;
}

/** A thread's way from one key to another, store by store. */
class Renewal {
  readonly #tx: Writing;
  readonly #thread: ThreadId;
  readonly #old: Old;
  readonly #key = newThreadKey();
  readonly #contents = new Contents();
  readonly #losses = new Map<string, Loss>();
  /** Which checkpoint is at a place, where it was and where it is. */
  readonly #before = new Map<string, CheckpointId>();
  readonly #now = new Map<string, Place>();
  readonly #packed = new Set<string>();
  /** The rows of pasts that can be read, by checkpoint. */
  readonly #kept = new Map<string, Sealed[]>();
  #branches = 0;
  #bytes = 0;

  constructor(tx: Writing, thread: ThreadId, old: Old) {
    this.#tx = tx;
    this.#thread = thread;
    this.#old = old;
    for (const loss of old.row.lost ?? []) this.#lose(loss.namespace, loss.id, loss.part);
  }

  async run(): Promise<void> {
    const { row, from, known } = this.#old;
    await this.#content();
    await this.#pasts();
    await this.#checkpoints();
    await this.#links();
    await this.#blocks();
    await this.#writes();
    for (const store of THREAD_STORES) remove(this.#tx, store, ranges.thread(from));
    remove(this.#tx, "revisions", from);
    const lost = [...this.#losses.values()];
    const { lost: _, ...rest } = row;
    put(this.#tx, "threads", packThread(this.#thread, { ...rest, key: this.#key, ...(lost.length === 0 ? {} : { lost }) }), this.#thread);
    const revision = {
      number: (known?.number ?? 0) + 1,
      updated: known?.updated ?? row.created,
      checkpoints: this.#now.size,
      branches: Math.max(known?.branches ?? 0, this.#branches),
      bytes: this.#bytes,
      removals: known?.removals ?? 1,
    };
    put(this.#tx, "revisions", packRevision(this.#key, revision), this.#key);
  }

  /** Elements keep their positions. What two rows hold is what the first one holds: readers never saw the other. */
  async #content(): Promise<void> {
    const ends = new Map<string, number>();
    for await (const page of contentPages(this.#tx, ranges.thread(this.#old.from))) {
      for (const { key, value } of page) {
        const [, namespace, channel, branch, position] = key;
        const elements = this.#readable("content", key, () => unpackElements(key, value)) ?? [];
        const log = JSON.stringify([namespace, channel, branch]);
        const end = ends.get(log) ?? 0;
        for (let at = Math.max(position, end) - position; at < elements.length; ) {
          const start = position + at;
          const part = elements.slice(at, at + BLOCK - (start % BLOCK));
          const renewed = [this.#key, namespace, channel, branch, start] as typeof key;
          this.#put("content", packElements(renewed, part), renewed);
          this.#contents.add(namespace, channel, branch, start, part);
          at += part.length;
        }
        ends.set(log, Math.max(end, position + elements.length));
      }
    }
  }

  async #pasts(): Promise<void> {
    const { from } = this.#old;
    for await (const page of pages(this.#tx, "pasts", ranges.thread(from), PAGE)) {
      for (const { key, value } of page) {
        const name = nameOf(key[1], idOf<CheckpointId>(key[2]));
        this.#kept.set(name, [...(this.#kept.get(name) ?? []), value]);
      }
    }
  }

  /** Puts what a checkpoint has of its past, if all of it can be read. Gives how many rows that are. */
  #past(namespace: Namespace, id: CheckpointId, count: number): number {
    const rows = this.#kept.get(nameOf(namespace, id)) ?? [];
    this.#kept.delete(nameOf(namespace, id));
    const past = this.#readable("pasts", [this.#old.from, namespace, id], () => unpackPast([this.#old.from, namespace, id], rows, count));
    if (past === undefined) {
      this.#lose(namespace, id, "past");
      return 0;
    }
    const renewed = packPast([this.#key, namespace, id], this.#wholePast(namespace, id, past));
    for (const [part, row] of renewed.entries()) this.#put("pasts", row, keys.past(this.#key, namespace, id, part));
    return renewed.length;
  }

  #wholePast(namespace: Namespace, id: CheckpointId, { seeds, steps }: Past): Past {
    const whole = (channel: Channel, ref: Ref) => this.#whole(namespace, id, channel, ref, "pasts");
    return {
      seeds: new Map([...seeds].map(([channel, ref]) => [channel, whole(channel, ref)])),
      steps: steps.map((step) => step.map(([task, write]) => [task, { ...write, ref: whole(write.channel, write.ref) }])),
    };
  }

  async #checkpoints(): Promise<void> {
    const displaced: [Namespace, CheckpointId, CheckpointRow][] = [];
    for await (const page of pages(this.#tx, "checkpoints", ranges.thread(this.#old.from), PAGE)) {
      for (const { key, value } of page) {
        const [namespace, id] = [key[1], idOf<CheckpointId>(key[2])];
        const row = this.#readable("checkpoints", [this.#old.from, namespace, id], () => unpackCheckpoint([this.#old.from, namespace, id], value));
        if (row === undefined) {
          this.#lose(namespace, id, "row");
          this.#keepPlace(namespace, id, value);
          continue;
        }
        const channels = row.channels.map((channel) =>
          channel.ref === undefined ? channel : { ...channel, ref: this.#whole(namespace, id, channel.name, channel.ref, "checkpoints") },
        );
        const renewed = { ...row, channels, ...(row.past === undefined ? {} : { past: { ...row.past, rows: this.#past(namespace, id, row.past.rows) } }) };
        const place = placeName(namespace, row.branch, row.depth);
        this.#branches = Math.max(this.#branches, row.branch + 1);
        if (this.#before.has(place)) displaced.push([namespace, id, renewed]);
        else {
          this.#before.set(place, id);
          this.#putCheckpoint(namespace, id, renewed);
        }
      }
    }
    for (const [namespace, id, row] of displaced) this.#putAlone(namespace, id, row);
    for (const name of this.#kept.keys()) {
      const [namespace, id] = JSON.parse(name) as [Namespace, CheckpointId];
      this.#old.dropped.problem("unreachable", { store: "pasts", key: [this.#old.from, namespace, id] }, "Its checkpoint is not there, or says nothing of it: nobody looked here.");
    }
  }

  /** A row that cannot be read is still where its index has it. */
  #keepPlace(namespace: Namespace, id: CheckpointId, { lineage }: Partial<CheckpointRecord>): void {
    const [, where, branch, depth] = Array.isArray(lineage) ? lineage : [];
    if (where !== namespace || !isWhole(branch) || !isWhole(depth) || this.#before.has(placeName(namespace, branch, depth))) return;
    const record = packLost([this.#key, namespace, id], { branch, depth });
    put(this.#tx, "checkpoints", record, keys.checkpoint(this.#key, namespace, id));
    this.#bytes += record.body.length;
    this.#branches = Math.max(this.#branches, branch + 1);
    this.#before.set(placeName(namespace, branch, depth), id);
    this.#now.set(nameOf(namespace, id), { namespace, branch, depth });
  }

  /** On a branch each one's parent is the one before it, and it knows where before it each channel is stored. */
  async #links(): Promise<void> {
    const store = this.#tx.objectStore("checkpoints");
    let before: { readonly namespace: Namespace; readonly id: CheckpointId; readonly row: CheckpointRow } | undefined;
    for (const key of await store.index("lineage").getAllKeys(ranges.thread(this.#key))) {
      const [namespace, id] = [key[1], idOf<CheckpointId>(key[2])];
      if (this.#losses.has(lossName(namespace, id, "row"))) {
        before = undefined;
        continue;
      }
      const record = await store.get(keys.checkpoint(this.#key, namespace, id));
      const found = unpackCheckpoint([this.#key, namespace, id], record);
      const size = record!.body.length;
      const follows = before?.namespace === namespace && before.row.branch === found.branch && before.row.depth === found.depth - 1;
      if (follows && (before!.id !== found.parent || found.past !== undefined)) {
        this.#putAlone(namespace, id, found, size);
        before = undefined;
        continue;
      }
      let row = found;
      if (follows || found.depth === 0) {
        row = { ...found, channels: linked(found.channels.filter(isOwn), follows ? before!.row : undefined) };
        if (JSON.stringify(row.channels.map(linkOf)) !== JSON.stringify(found.channels.map(linkOf))) this.#putCheckpoint(namespace, id, row, size);
      }
      before = { namespace, id, row };
    }
  }

  async #blocks(): Promise<void> {
    for await (const page of pages(this.#tx, "blocks", ranges.thread(this.#old.from), PAGE)) {
      for (const { key, value } of page) {
        const [, namespace, branch, number] = key;
        const block = this.#readable("blocks", key, () => unpackBlock(key, value));
        if (block === undefined) {
          for (let depth = number * BLOCK; depth < (number + 1) * BLOCK; depth++) {
            const id = this.#before.get(placeName(namespace, branch, depth));
            if (id !== undefined) this.#lose(namespace, id, "written");
          }
          continue;
        }
        const kept = new Map<number, Map<TaskId, Write[]>>();
        for (const [depth, tasks] of block) {
          const id = this.#before.get(placeName(namespace, branch, depth));
          const place = id === undefined ? undefined : this.#now.get(nameOf(namespace, id));
          if (id === undefined || place === undefined || blockOf(depth) !== number) {
            if (tasks.size > 0) this.#old.dropped.problem("unreachable", { store: "blocks", key }, `The checkpoint at depth ${depth} is not there, so nobody looks for what was written on it.`);
            continue;
          }
          const whole = new Map([...tasks].map(([task, writes]) => [task, this.#wholeWrites(namespace, id, writes)]));
          if (place.branch === branch && place.depth === depth) kept.set(depth, whole);
          else for (const [task, writes] of whole) this.#putWrites(namespace, id, task, writes);
        }
        const renewed = [this.#key, namespace, branch, number] as typeof key;
        this.#put("blocks", packBlock(renewed, kept), renewed);
        this.#packed.add(placeName(namespace, branch, number));
      }
    }
  }

  async #writes(): Promise<void> {
    const { from, dropped } = this.#old;
    for await (const page of pages(this.#tx, "writes", ranges.thread(from), PAGE)) {
      for (const { key, value } of page) {
        const [namespace, id, task] = [key[1], idOf<CheckpointId>(key[2]), idOf<TaskId>(key[3])];
        const identity = [from, namespace, id, task] as const;
        const writes = this.#readable("writes", identity, () => unpackWrites(identity, value));
        const place = this.#now.get(nameOf(namespace, id));
        if (writes === undefined) {
          if (place !== undefined) this.#lose(namespace, id, "written");
        } else if (place !== undefined && this.#packed.has(placeName(namespace, place.branch, blockOf(place.depth)))) {
          dropped.problem("unreachable", { store: "writes", key: identity }, "What was written on its checkpoint is elsewhere, so nobody looked here.");
        } else {
          this.#putWrites(namespace, id, task, this.#wholeWrites(namespace, id, writes));
        }
      }
    }
  }

  #readable<T>(store: string, key: readonly unknown[], read: () => T): T | undefined {
    return this.#old.dropped.readable({ store, key }, read);
  }

  #wholeWrites(namespace: Namespace, id: CheckpointId, writes: readonly Write[]): Write[] {
    return writes.map((write) => ({ ...write, ref: this.#whole(namespace, id, write.channel, write.ref, "writes") }));
  }

  /** A value, or the word that it is lost. */
  #whole(namespace: Namespace, id: CheckpointId, channel: Channel, ref: Ref, store: string): Ref {
    const found = new Report(undefined);
    const where = { store, key: [this.#old.from, namespace, id] };
    this.#contents.require(found, where, namespace, channel, ref);
    const [problem] = found.problems;
    if (problem === undefined) return ref;
    this.#old.dropped.problem(problem.code, where, problem.sentence);
    // The checkpoint itself is whole without its past.
    if (store !== "pasts") this.#lose(namespace, id, "values");
    return LOST;
  }

  #lose(namespace: Namespace, id: CheckpointId, part: LostPart): void {
    this.#losses.set(lossName(namespace, id, part), { namespace, id, part });
  }

  /** @param replaced what the row in its place takes */
  #putCheckpoint(namespace: Namespace, id: CheckpointId, row: CheckpointRow, replaced = 0): void {
    const record = packCheckpoint([this.#key, namespace, id], row);
    put(this.#tx, "checkpoints", record, keys.checkpoint(this.#key, namespace, id));
    this.#bytes += record.body.length - replaced;
    this.#now.set(nameOf(namespace, id), { namespace, branch: row.branch, depth: row.depth });
  }

  /** On a branch of its own: from there the walk goes on at its parent, or in its past. */
  #putAlone(namespace: Namespace, id: CheckpointId, row: CheckpointRow, replaced = 0): void {
    const branch = this.#branches++ as CheckpointRow["branch"];
    this.#putCheckpoint(namespace, id, { ...row, branch, depth: 0, channels: linked(row.channels.filter(isOwn), undefined) }, replaced);
  }

  #putWrites(namespace: Namespace, id: CheckpointId, task: TaskId, writes: readonly Write[]): void {
    this.#put("writes", packWrites([this.#key, namespace, id, task], writes), keys.writes(this.#key, namespace, id, task));
  }

  #put<S extends "content" | "blocks" | "writes" | "pasts">(store: S, row: Uint8Array<ArrayBuffer>, key: Parameters<typeof put<S>>[3]): void {
    put(this.#tx, store, row as Parameters<typeof put<S>>[2], key);
    this.#bytes += row.length;
  }
}

/** What a channel has of its own, and not only what the row knows of those before it. */
function isOwn({ version, ref }: CheckpointRow["channels"][number]): boolean {
  return version !== undefined || ref !== undefined;
}

function placeName(namespace: Namespace, branch: number, depth: number): string {
  return JSON.stringify([namespace, branch, depth]);
}

function lossName(namespace: Namespace, id: CheckpointId, part: LostPart): string {
  return JSON.stringify([namespace, id, part]);
}

function nameOf(namespace: Namespace, id: CheckpointId): string {
  return JSON.stringify([namespace, id]);
}
