import { type Channel, type CheckpointId, contentPages, idOf, type Namespace, pages, ranges, type Reading, type TaskId, type ThreadKey } from "../idb/index.ts";
import { type CheckpointRow, unpackCheckpoint } from "./checkpoint-row.ts";
import { unpackElements } from "./elements.ts";
import type { Ref } from "./ref.ts";
import type { UsageReply } from "./thread-types.ts";
import { isWrapped } from "./types.ts";
import { unpackBlock, unpackWrites, type Write } from "./writes-row.ts";

/** Rows to one request. */
const PAGE = 256;

interface Checkpoint {
  readonly id: CheckpointId;
  readonly namespace: Namespace;
  readonly row: CheckpointRow;
  readonly bytes: number;
}

/** What a thread takes. Reads all its rows, page by page. */
export async function readUsage(tx: Reading, thread: ThreadKey): Promise<UsageReply> {
  const sizes = new Sizes();
  let content = 0;
  for await (const page of contentPages(tx, ranges.thread(thread))) {
    for (const { key, value } of page) {
      sizes.add(nameOf(key[1], key[2], key[3]), key[4], unpackElements(key, value));
      content += value.length;
    }
  }
  const { bytes: writes, on } = await readWrites(tx, thread);
  const checkpoints: Checkpoint[] = [];
  for await (const page of pages(tx, "checkpoints", ranges.thread(thread), PAGE)) {
    for (const { key, value } of page) {
      const [namespace, id] = [key[1], idOf<CheckpointId>(key[2])];
      checkpoints.push({ id, namespace, row: unpackCheckpoint([thread, namespace, id], value), bytes: value.body.length });
    }
  }
  checkpoints.sort((a, b) => (a.id < b.id ? -1 : 1));
  const byId = new Map(checkpoints.map((checkpoint) => [idName(checkpoint.namespace, checkpoint.id), checkpoint]));
  const steps = checkpoints.map((checkpoint) => {
    const { id, namespace, row, bytes } = checkpoint;
    const parent = row.parent === undefined ? undefined : byId.get(idName(namespace, row.parent));
    return { id, row: bytes, ...sizes.of(checkpoint, parent, parent === undefined ? [] : on(parent)) };
  });
  return { content, writes, steps };
}

/** The bytes of the rows, and what was written on a checkpoint. */
async function readWrites(tx: Reading, thread: ThreadKey): Promise<{ bytes: number; on: (checkpoint: Checkpoint) => readonly Write[] }> {
  let bytes = 0;
  const found = new Map<string, Write[]>();
  const add = (name: string, writes: readonly Write[]) => void found.set(name, [...(found.get(name) ?? []), ...writes]);
  for await (const page of pages(tx, "writes", ranges.thread(thread), PAGE)) {
    for (const { key, value } of page) {
      const [namespace, id, task] = [key[1], idOf<CheckpointId>(key[2]), idOf<TaskId>(key[3])];
      add(idName(namespace, id), unpackWrites([thread, namespace, id, task], value));
      bytes += value.length;
    }
  }
  for await (const page of pages(tx, "blocks", ranges.thread(thread), PAGE)) {
    for (const { key, value } of page) {
      for (const [depth, tasks] of unpackBlock(key, value)) for (const writes of tasks.values()) add(placeName(key[1], key[2], depth), writes);
      bytes += value.length;
    }
  }
  for await (const page of pages(tx, "pasts", ranges.thread(thread), PAGE)) for (const { value } of page) bytes += value.length;
  const on = ({ id, namespace, row }: Checkpoint) => found.get(idName(namespace, id)) ?? found.get(placeName(namespace, row.branch, row.depth)) ?? [];
  return { bytes, on };
}

/** The sizes of what a thread holds, checkpoint by checkpoint, parents before children. */
class Sizes {
  /** By log, where each element would end if the log were one run of bytes. */
  readonly #ends = new Map<string, number[]>();
  /** By log, up to where checkpoints so far use it. */
  readonly #used = new Map<string, number>();
  /** By checkpoint, the size of each channel that has a value, its own or one to be rebuilt. */
  readonly #values = new Map<Checkpoint, ReadonlyMap<Channel, number>>();
  /** By branch and channel, whether the last value that was stored is a snapshot. */
  readonly #snapshots = new Map<string, boolean>();

  add(log: string, position: number, elements: readonly Uint8Array[]): void {
    const ends = this.#ends.get(log) ?? [];
    while (ends.length < position) ends.push(ends.at(-1) ?? 0);
    for (const { length } of elements) ends.push((ends.at(-1) ?? 0) + length);
    this.#ends.set(log, ends);
  }

  /**
   * The bytes of a checkpoint in full, and of its values and of what led to it the ones that no checkpoint before has. A delta
   * channel that is not stored counts as what its parent's and what was written on that are together.
   */
  of(checkpoint: Checkpoint, parent: Checkpoint | undefined, written: readonly Write[]): { full: number; fresh: number; isSnapshot: boolean } {
    const { namespace, row } = checkpoint;
    let fresh = 0;
    let isSnapshot = false;
    const added = new Map<Channel, number>();
    for (const { channel, ref } of written) {
      const size = this.#sizeOf(namespace, channel, ref);
      added.set(channel, (added.get(channel) ?? 0) + size.bytes);
      fresh += size.fresh;
    }
    const values = new Map<Channel, number>();
    for (const { name, version, ref } of row.channels) {
      const branch = nameOf(namespace, name, row.branch);
      if (ref !== undefined) {
        const size = this.#sizeOf(namespace, name, ref);
        values.set(name, size.bytes);
        fresh += size.fresh;
        this.#snapshots.set(branch, isWrapped(ref.shape));
        isSnapshot ||= isWrapped(ref.shape);
      } else if (version !== undefined && this.#snapshots.get(branch) !== false) {
        values.set(name, ((parent && this.#values.get(parent)?.get(name)) ?? 0) + (added.get(name) ?? 0));
      }
    }
    this.#values.set(checkpoint, values);
    return { full: [...values.values()].reduce((sum, bytes) => sum + bytes, row.head.length), fresh, isSnapshot };
  }

  #sizeOf(namespace: Namespace, channel: Channel, ref: Ref): { bytes: number; fresh: number } {
    if ("bytes" in ref) return { bytes: ref.bytes.length, fresh: 0 };
    let [bytes, fresh] = [0, 0];
    for (const { log: branch, start, length } of ref.pieces) {
      const log = nameOf(namespace, channel, branch);
      const used = this.#used.get(log) ?? 0;
      bytes += this.#between(log, start, start + length);
      fresh += this.#between(log, Math.max(used, start), start + length);
      this.#used.set(log, Math.max(used, start + length));
    }
    return { bytes, fresh };
  }

  #between(log: string, from: number, to: number): number {
    const ends = this.#ends.get(log);
    if (ends === undefined || to <= from) return 0;
    return (ends[to - 1] ?? 0) - (from === 0 ? 0 : (ends[from - 1] ?? 0));
  }
}

function nameOf(namespace: Namespace, channel: Channel, branch: number): string {
  return JSON.stringify([namespace, channel, branch]);
}

function idName(namespace: Namespace, id: CheckpointId): string {
  return JSON.stringify([namespace, id]);
}

function placeName(namespace: Namespace, branch: number, depth: number): string {
  return JSON.stringify([namespace, branch, depth]);
}
