import { type Branch, type Channel, type ContentKey, type ContentPartKey, contentRows, type Namespace, ranges, type Reading, type ThreadKey } from "../idb/index.ts";
import { GONE, inRows, packElements, unpackElements } from "./elements.ts";
import type { Ledger } from "./ledger.ts";
import { BLOCK } from "./log.ts";
import type { Ref } from "./ref.ts";

/** Blocks whose rows are read at a time: a bound on what is in memory. */
const AT_ONCE = 16;

const ALL = -1;

/** The elements of a namespace that something refers to: for each block of each log, a bit for each. */
export class Referred {
  readonly #logs = new Map<string, Map<number, number>>();

  add(channel: Channel, ref: Ref | undefined): void {
    if (ref === undefined || "bytes" in ref) return;
    for (const { log, start, length } of ref.pieces) this.#add(this.#log(channel, log), start, start + length);
  }

  #log(channel: Channel, branch: Branch): Map<number, number> {
    const name = logName(channel, branch);
    const known = this.#logs.get(name) ?? new Map<number, number>();
    this.#logs.set(name, known);
    return known;
  }

  #add(blocks: Map<number, number>, start: number, end: number): void {
    for (let at = start; at < end; ) {
      const block = Math.floor(at / BLOCK);
      const to = Math.min(end, (block + 1) * BLOCK);
      let bits = blocks.get(block) ?? 0;
      if (to - at === BLOCK) bits = ALL;
      else for (let position = at; position < to; position++) bits |= 1 << (position % BLOCK);
      blocks.set(block, bits);
      at = to;
    }
  }

  /** A bit for each element of a block that something refers to. */
  ofBlock(channel: Channel, branch: Branch, block: number): number {
    return this.#logs.get(logName(channel, branch))?.get(block) ?? 0;
  }
}

/** Removes the content that nothing refers to: blocks whole, and of a block that holds other elements all but these. */
export async function reclaim(tx: Reading, thread: ThreadKey, namespace: Namespace, referred: Referred, ledger: Ledger): Promise<void> {
  const keys = await tx.objectStore("content").getAllKeys(ranges.namespace(thread, namespace));
  const blocks = new Map<string, ContentKey | ContentPartKey>();
  for (const key of keys) {
    const block = Math.floor(key[4] / BLOCK);
    if (referred.ofBlock(key[2], key[3], block) !== ALL) blocks.set(`${block} ${logName(key[2], key[3])}`, key);
  }
  const waiting = [...blocks.values()];
  while (waiting.length > 0) await Promise.all(waiting.splice(0, AT_ONCE).map((key) => reclaimBlock(tx, key, referred, ledger)));
}

async function reclaimBlock(tx: Reading, [thread, namespace, channel, branch, position]: ContentKey | ContentPartKey, referred: Referred, ledger: Ledger): Promise<void> {
  const block = Math.floor(position / BLOCK);
  const range = ranges.positions(thread, namespace, channel, branch, block * BLOCK, (block + 1) * BLOCK);
  const rows = await contentRows(tx, range);
  const bits = referred.ofBlock(channel, branch, block);
  const bytes = rows.reduce((sum, { value }) => sum + value.length, 0);
  if (bits === 0) {
    ledger.remove("content", range, bytes);
    return;
  }
  const elements: Uint8Array[] = [];
  for (const { key, value } of rows) {
    while (elements.length < key[4] - block * BLOCK) elements.push(GONE);
    elements.push(...unpackElements(key, value));
  }
  if (elements.every((element, index) => element === GONE || ((bits >> index) & 1) === 1)) return;
  const left = elements.map((element, index) => (((bits >> index) & 1) === 1 ? element : GONE));
  ledger.remove("content", range, bytes);
  for (const [start, part] of inRows(left, block * BLOCK)) {
    const key: ContentKey = [thread, namespace, channel, branch, start];
    const row = packElements(key, part);
    ledger.put("content", row, key, row.length);
  }
}

function logName(channel: Channel, branch: Branch): string {
  return `${branch} ${channel}`;
}
