import type { Branch } from "../idb/index.ts";
import type { Piece } from "./ref.ts";

/** Positions of a log whose elements have numbers one after another. */
interface Numbered {
  readonly start: number;
  length: number;
  readonly number: number;
}

/** What the elements of a channel's logs are called in a file: their number in the order in which they are written there. */
export class ElementNumbers {
  readonly #logs = new Map<Branch, Numbered[]>();
  #count = 0;

  /** The parts of a piece that have no number yet. */
  missing({ log, start, length }: Piece): Piece[] {
    const numbered = this.#logs.get(log) ?? [];
    const missing: Piece[] = [];
    let at = start;
    for (let index = firstBehind(numbered, start); at < start + length; index++) {
      const next = numbered[index];
      const until = Math.min(next?.start ?? Number.POSITIVE_INFINITY, start + length);
      if (at < until) missing.push({ log, start: at, length: until - at });
      at = next === undefined ? until : Math.max(until, next.start + next.length);
    }
    return missing;
  }

  /** Gives a piece without numbers the next ones. */
  add({ log, start, length }: Piece): void {
    const numbered = this.#logs.get(log) ?? [];
    this.#logs.set(log, numbered);
    const index = firstBehind(numbered, start);
    const before = numbered[index - 1];
    if (before !== undefined && before.start + before.length === start && before.number + before.length === this.#count) before.length += length;
    else numbered.splice(index, 0, { start, length, number: this.#count });
    this.#count += length;
  }

  /** Stretches of numbers, `[start, length, …]`, for pieces that all have some. */
  of(pieces: readonly Piece[]): number[] {
    const stretches: number[] = [];
    for (const { log, start, length } of pieces) {
      const numbered = this.#logs.get(log) ?? [];
      for (let at = start, index = firstBehind(numbered, start); at < start + length; index++) {
        const { start: first, length: count, number } = numbered[index]!;
        const until = Math.min(first + count, start + length);
        join(stretches, number + at - first, until - at);
        at = until;
      }
    }
    return stretches;
  }
}

/** The first stretch that ends behind a position. */
function firstBehind(numbered: readonly Numbered[], position: number): number {
  let [low, high] = [0, numbered.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbered[middle]!.start + numbered[middle]!.length <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function join(stretches: number[], start: number, length: number): void {
  const last = stretches.length - 2;
  if (last >= 0 && stretches[last]! + stretches[last + 1]! === start) stretches[last + 1]! += length;
  else stretches.push(start, length);
}
