import { type Channel, type CheckpointId, idOf, type Namespace, ranges, type Reading, type ThreadKey } from "../idb/index.ts";
import { type CheckpointRow, unpackCheckpoint } from "./checkpoint-row.ts";
import { unpackElements } from "./elements.ts";
import type { UsageReply } from "./thread-types.ts";

/** Rows to one request. */
const PAGE = 256;

type Range = ReturnType<typeof ranges.thread>;

interface Rows<K, V> {
  getAllKeys(range: Range, count: number): Promise<K[]>;
  getAll(range: Range, count: number): Promise<V[]>;
}

/** What a thread takes. Reads all its rows, page by page. */
export async function readUsage(tx: Reading, thread: ThreadKey): Promise<UsageReply> {
  const sizes = new Sizes();
  let [content, writes] = [0, 0];
  await eachRow(tx.objectStore("content"), thread, (key, row) => {
    sizes.add(nameOf(key[1], key[2], key[3]), unpackElements(key, row));
    content += row.length;
  });
  await eachRow(tx.objectStore("writes"), thread, (_, row) => void (writes += row.length));
  await eachRow(tx.objectStore("blocks"), thread, (_, row) => void (writes += row.length));
  const checkpoints: { id: CheckpointId; row: CheckpointRow; namespace: Namespace; bytes: number }[] = [];
  await eachRow(tx.objectStore("checkpoints"), thread, (key, record) => {
    const [, namespace, id] = [thread, key[1], idOf<CheckpointId>(key[2])];
    checkpoints.push({ id, namespace, row: unpackCheckpoint([thread, namespace, id], record), bytes: record.body.length });
  });
  checkpoints.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { content, writes, steps: checkpoints.map(({ id, namespace, row, bytes }) => ({ id, row: bytes, ...sizes.of(row, namespace) })) };
}

async function eachRow<K extends (string | number | Uint8Array<ArrayBuffer>)[], V>(store: Rows<K, V>, thread: ThreadKey, take: (key: K, row: V) => void): Promise<void> {
  let range = ranges.thread(thread);
  for (;;) {
    const [keys, rows] = await Promise.all([store.getAllKeys(range, PAGE), store.getAll(range, PAGE)]);
    for (const [index, key] of keys.entries()) take(key, rows[index]!);
    const last = keys.at(-1);
    if (last === undefined || keys.length < PAGE) return;
    range = ranges.threadAfter(thread, last);
  }
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
