import { type Channel, type CheckpointId, idOf, type Namespace, pages, ranges, type Reading, type ThreadKey } from "../idb/index.ts";
import { type CheckpointRow, unpackCheckpoint } from "./checkpoint-row.ts";
import { unpackElements } from "./elements.ts";
import type { UsageReply } from "./thread-types.ts";

/** Rows to one request. */
const PAGE = 256;

/** What a thread takes. Reads all its rows, page by page. */
export async function readUsage(tx: Reading, thread: ThreadKey): Promise<UsageReply> {
  const sizes = new Sizes();
  let [content, writes] = [0, 0];
  for await (const page of pages(tx, "content", ranges.thread(thread), PAGE)) {
    for (const { key, value } of page) {
      sizes.add(nameOf(key[1], key[2], key[3]), unpackElements(key, value));
      content += value.length;
    }
  }
  for (const store of ["writes", "blocks"] as const) {
    for await (const page of pages(tx, store, ranges.thread(thread), PAGE)) for (const { value } of page) writes += value.length;
  }
  const checkpoints: { id: CheckpointId; row: CheckpointRow; namespace: Namespace; bytes: number }[] = [];
  for await (const page of pages(tx, "checkpoints", ranges.thread(thread), PAGE)) {
    for (const { key, value } of page) {
      const [namespace, id] = [key[1], idOf<CheckpointId>(key[2])];
      checkpoints.push({ id, namespace, row: unpackCheckpoint([thread, namespace, id], value), bytes: value.body.length });
    }
  }
  checkpoints.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { content, writes, steps: checkpoints.map(({ id, namespace, row, bytes }) => ({ id, row: bytes, ...sizes.of(row, namespace) })) };
}

/** The sizes of the elements of a thread's logs. */
class Sizes {
  /** By log, where each element would end if the log were one run of bytes. */
  readonly #ends = new Map<string, number[]>();
  /** By log, up to where checkpoints so far use it. */
  readonly #used = new Map<string, number>();

  add(log: string, elements: readonly Uint8Array[]): void {
    const ends = this.#ends.get(log) ?? [];
    for (const { length } of elements) ends.push((ends.at(-1) ?? 0) + length);
    this.#ends.set(log, ends);
  }

  /** The bytes of a checkpoint in full, and of its values the ones that no checkpoint before has. */
  of(row: CheckpointRow, namespace: Namespace): { full: number; fresh: number } {
    let [full, fresh] = [row.head.length, 0];
    for (const { name, ref } of row.channels) {
      if (ref === undefined) continue;
      if ("bytes" in ref) full += ref.bytes.length;
      else {
        for (const { log: branch, start, length } of ref.pieces) {
          const log = nameOf(namespace, name, branch);
          const used = this.#used.get(log) ?? 0;
          full += this.#between(log, start, start + length);
          fresh += this.#between(log, Math.max(used, start), start + length);
          this.#used.set(log, Math.max(used, start + length));
        }
      }
    }
    return { full, fresh };
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
