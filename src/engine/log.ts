import { DamagedError } from "../errors/index.ts";
import { type Branch, type Channel, contentPages, contentRows, goesOn, type Namespace, nextSize, put, ranges, type Reading, remove, type ThreadKey, type Writing } from "../idb/index.ts";
import { hash } from "./hash.ts";
import { GONE, inRows, packElements, sizeOf, unpackElements } from "./elements.ts";
import { isWhole } from "./well-formed.ts";

/** Positions `[32 k, 32 k + 32)` make a block. No row spans two; once a block is full, its rows are merged into as few as will do. */
export const BLOCK = 32;

/** Rows to one request, first and at most: a bound on what one answer holds. */
const FIRST_PAGE = 96;
const PAGE = 4096;

/** How much of a log is looked at for what a value has, besides what its parent's value has: of most logs all. */
const LOOKUP_BYTES = 64 * 1024 * 1024;

/**
 * One append-only log of elements, as far as this realm has read it. A committed element never changes, and never moves to
 * another position; merging only changes which row holds it. So what is in memory stays right, but there may be more in the
 * database: {@link refresh} finds out, in the transaction that wants to append or to look up. Of elements that were given back
 * nothing is left, or, in a block that holds others, a mark; then all that was in memory is forgotten.
 */
export class Log {
  readonly #key: readonly [ThreadKey, Namespace, Channel, Branch];
  /** By position; undefined where not read yet. */
  readonly #elements: (Uint8Array | undefined)[] = [];
  /** How many elements are in rows. The ones beyond were added in the transaction under way. */
  #inRows = 0;
  #freshAt = -1;
  #byHash: Map<number, number[]> | undefined;
  #hashed = 0;
  /** How many elements are in memory, and their bytes. */
  #known = 0;
  bytes = 0;

  constructor(key: readonly [ThreadKey, Namespace, Channel, Branch]) {
    this.#key = key;
  }

  get name(): Branch {
    return this.#key[3];
  }

  get length(): number {
    return this.#elements.length;
  }

  at(position: number): Uint8Array | undefined {
    const element = this.#elements[position];
    return element === GONE ? undefined : element;
  }

  /** Learns the log's length, as of this transaction, unless nobody else wrote since (`sync` is the same as last time). */
  async refresh(tx: Reading, sync: number): Promise<void> {
    if (this.#freshAt === sync) return;
    const content = tx.objectStore("content");
    const last = await content.openKeyCursor(ranges.log(...this.#key), "prev");
    if (last !== null) {
      const position = last.primaryKey[4];
      if (!isWhole(position)) throw new DamagedError({ store: "content", key: JSON.stringify(last.primaryKey) });
      const [row] = await contentRows(tx, ranges.positions(...this.#key, position, position + 1));
      try {
        this.#take(position, unpackElements([...this.#key, position], row?.value));
      } catch {
        // How many elements a damaged row held is not known, but not more than its block does.
        this.#take(position - (position % BLOCK) + BLOCK, []);
      }
    }
    this.#inRows = this.#elements.length;
    this.#freshAt = sync;
  }

  /**
   * The elements of `[start, end)`, which was fetched.
   *
   * @throws DamagedError if they are not all there
   */
  require(start: number, end: number): Uint8Array[] {
    const elements: Uint8Array[] = [];
    for (let at = start; at < end; at++) {
      const element = this.#elements[at];
      if (element === undefined || element === GONE) throw new DamagedError({ store: "content", key: JSON.stringify([...this.#key, at]) });
      elements.push(element);
    }
    return elements;
  }

  /** How many of the elements of `[start, end)` are in memory. */
  countKnown(start: number, end: number): number {
    let known = 0;
    for (let at = start; at < end; at++) if (this.#elements[at] !== undefined) known++;
    return known;
  }

  /** A checkpoint refers to positions up to here: if the rows have gone, the positions are still taken. */
  reserve(length: number): void {
    if (this.length >= length) return;
    this.#take(length, []);
    this.#inRows = length;
  }

  /** Reads as much as can be read of what is missing of `[start, end)`. */
  async fetch(tx: Reading, start: number, end: number): Promise<void> {
    let first = start;
    while (first < end && this.#elements[first] !== undefined) first++;
    let last = end;
    while (last > first && this.#elements[last - 1] !== undefined) last--;
    if (first === last) return;
    let position = first - (first % BLOCK);
    for (let size = FIRST_PAGE; ; ) {
      const rows = await tx.objectStore("content").getAll(ranges.positions(...this.#key, position, last), size);
      if (rows.some(goesOn)) return this.#fetchByKeys(tx, position, last);
      try {
        for (const row of rows) {
          const elements = unpackElements([...this.#key, position], row);
          this.#take(position, elements);
          position += elements.length;
        }
      } catch {
        return this.#fetchByKeys(tx, position, last);
      }
      if (rows.length < size || position >= last) return;
      size = nextSize(rows, PAGE);
    }
  }

  /** Reads what is missing, the last first, until about so many bytes are in memory. */
  async fetchLast(tx: Reading, bytes = LOOKUP_BYTES): Promise<void> {
    for (let [end, step] = [this.length, BLOCK]; end > 0 && this.#known < this.length && this.bytes < bytes; step *= 2) {
      const quarter = Math.ceil((this.#known / Math.max(1, this.bytes)) * (bytes / 4));
      const start = Math.max(0, end - (quarter || step));
      await this.fetch(tx, start, end);
      end = start - (start % BLOCK);
    }
  }

  /** A row is damaged, or several records: the positions of those behind it are known by their keys only. */
  async #fetchByKeys(tx: Reading, from: number, to: number): Promise<void> {
    for await (const rows of contentPages(tx, ranges.positions(...this.#key, from, to))) {
      for (const { key, value } of rows) {
        try {
          this.#take(key[4], unpackElements([...this.#key, key[4]], value));
        } catch {
          // This is a damaged one: whoever needs what it held is told.
        }
      }
    }
  }

  /** Where an equal element is. Looks at all that is loaded. */
  find(element: Uint8Array): number | undefined {
    this.#byHash ??= new Map();
    for (; this.#hashed < this.#elements.length; this.#hashed++) {
      const known = this.#elements[this.#hashed];
      if (known !== undefined && known !== GONE) this.#index(hash(known, 0), this.#hashed);
    }
    return this.#byHash.get(hash(element, 0))?.find((position) => sameBytes(this.#elements[position], element));
  }

  /** Adds an element, in memory: {@link flush} writes it. A copy, so as not to hold on to the buffer of the whole value. */
  add(element: Uint8Array): number {
    this.#known++;
    this.bytes += element.length;
    return this.#elements.push(element.slice()) - 1;
  }

  /** Writes what was added, and merges the blocks that it fills. Gives by how many bytes the rows are more. */
  async flush(tx: Writing): Promise<number> {
    let written = 0;
    for (let from = this.#inRows; from < this.length; ) {
      const block = from - (from % BLOCK);
      const to = Math.min(block + BLOCK, this.length);
      const merging = to === block + BLOCK && from > block && (await this.#isReadable(tx, block, from));
      if (merging) {
        remove(tx, "content", ranges.positions(...this.#key, block, from));
        written -= sizeOf(this.#elements.slice(block, from) as Uint8Array[]);
      }
      const start = merging ? block : from;
      for (const [position, elements] of inRows(this.#elements.slice(start, to) as Uint8Array[], start)) {
        const row = packElements([...this.#key, position], elements);
        put(tx, "content", row, [...this.#key, position]);
        written += row.length;
      }
      from = to;
    }
    this.#inRows = this.length;
    return written;
  }

  async #isReadable(tx: Reading, start: number, end: number): Promise<boolean> {
    await this.fetch(tx, start, end);
    return this.#elements.slice(start, end).every((element) => element !== undefined);
  }

  #take(position: number, elements: readonly Uint8Array[]): void {
    while (this.#elements.length < position) this.#elements.push(undefined);
    for (const [offset, element] of elements.entries()) {
      const at = position + offset;
      if (this.#elements[at] !== undefined) continue;
      this.#elements[at] = element;
      this.#known++;
      this.bytes += element.length;
      if (at < this.#hashed && element !== GONE) this.#index(hash(element, 0), at);
    }
  }

  #index(digest: number, position: number): void {
    const positions = this.#byHash?.get(digest);
    if (positions === undefined) this.#byHash?.set(digest, [position]);
    else positions.push(position);
  }
}

export function sameBytes(a: Uint8Array | undefined, b: Uint8Array): boolean {
  if (a === undefined || a.length !== b.length) return false;
  for (let at = 0; at < b.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
