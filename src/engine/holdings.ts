import { type Branch, type CheckpointId, idOf, type Namespace, pages, ranges, type Reading, type Sealed, type TaskId, type ThreadKey } from "../idb/index.ts";
import { type CheckpointRow, unpackCheckpoint } from "./checkpoint-row.ts";
import { blockOf } from "./journal.ts";
import { type Past, unpackPast } from "./past.ts";
import { unpackBlock, unpackWrites, type Write, type Writes } from "./writes-row.ts";

/** Rows to one request. */
const PAGE = 256;

const NONE: Writes = new Map();

interface Held<T> {
  readonly value: T;
  /** Of the row. */
  readonly bytes: number;
}

export interface HeldBlock extends Held<ReadonlyMap<number, Writes>> {
  readonly branch: Branch;
  readonly number: number;
}

/** What a namespace holds besides its content: every row, as it is in the database. */
export class Holdings {
  readonly thread: ThreadKey;
  readonly namespace: Namespace;
  readonly checkpoints = new Map<CheckpointId, Held<CheckpointRow>>();
  /** Those in rows of their own, also of checkpoints that are not there. */
  readonly writes = new Map<CheckpointId, Map<TaskId, Held<readonly Write[]>>>();
  readonly blocks = new Map<string, HeldBlock>();
  readonly pasts = new Map<CheckpointId, { readonly value: Past; readonly rows: readonly Sealed[] }>();

  constructor(thread: ThreadKey, namespace: Namespace) {
    this.thread = thread;
    this.namespace = namespace;
  }

  /** What was written on a checkpoint. */
  writesOn(id: CheckpointId): Writes {
    const row = this.checkpoints.get(id)?.value;
    const block = row && this.blocks.get(blockName(row.branch, blockOf(row.depth)));
    if (block !== undefined) return block.value.get(row!.depth) ?? NONE;
    return new Map([...(this.writes.get(id) ?? [])].map(([task, { value }]) => [task, value]));
  }
}

export function blockName(branch: Branch, number: number): string {
  return `${branch} ${number}`;
}

/** @throws DamagedError if any of them cannot be read: nobody knows what it refers to */
export async function readHoldings(tx: Reading, thread: ThreadKey, namespace: Namespace): Promise<Holdings> {
  const all = new Holdings(thread, namespace);
  const range = ranges.namespace(thread, namespace);
  for await (const page of pages(tx, "checkpoints", range, PAGE)) {
    for (const { key, value } of page) {
      const id = idOf<CheckpointId>(key[2]);
      all.checkpoints.set(id, { value: unpackCheckpoint([thread, namespace, id], value), bytes: value.body.length });
    }
  }
  for await (const page of pages(tx, "writes", range, PAGE)) {
    for (const { key, value } of page) {
      const [id, task] = [idOf<CheckpointId>(key[2]), idOf<TaskId>(key[3])];
      const tasks = all.writes.get(id) ?? new Map<TaskId, Held<readonly Write[]>>();
      all.writes.set(id, tasks.set(task, { value: unpackWrites([thread, namespace, id, task], value), bytes: value.length }));
    }
  }
  for await (const page of pages(tx, "blocks", range, PAGE)) {
    for (const { key, value } of page) {
      const [, , branch, number] = key;
      all.blocks.set(blockName(branch, number), { branch, number, value: unpackBlock(key, value), bytes: value.length });
    }
  }
  const pasts = new Map<CheckpointId, Sealed[]>();
  for await (const page of pages(tx, "pasts", range, PAGE)) {
    for (const { key, value } of page) {
      const id = idOf<CheckpointId>(key[2]);
      pasts.set(id, [...(pasts.get(id) ?? []), value]);
    }
  }
  for (const [id, rows] of pasts) all.pasts.set(id, { value: unpackPast([thread, namespace, id], rows, all.checkpoints.get(id)?.value.past?.rows ?? rows.length), rows });
  return all;
}
