import { DamagedError } from "../errors/index.ts";
import { type Channel, countsOf, type Reading, type TaskId } from "../idb/index.ts";
import { BLOCK, type Log } from "./log.ts";
import { LOST } from "./lost.ts";
import type { NamespaceState } from "./namespace.ts";
import type { Ref } from "./ref.ts";
import type { EncodedValue, Run, StoredValue, StoredWrites } from "./types.ts";
import type { Write } from "./writes-row.ts";

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Collects the content that the values of a reply need, so that each element is read once and sent once, however many
 * values share it. First every value is announced by {@link want}; then {@link load} reads what is missing, unless
 * {@link fetch} has done so before more was announced; then {@link value} and {@link runs} give the reply.
 */
export class Gather {
  readonly #wanted = new Map<Log, Stretch[]>();
  readonly #runs: Run[] = [];
  readonly #loose: Uint8Array[] = [];
  /** How many elements were not in memory, if that is counted. */
  #missing = 0;
  readonly #places = new Map<Log, { readonly run: number; readonly stretch: Stretch }[]>();

  /** @throws DamagedError for a value that is lost */
  want(space: NamespaceState, channel: Channel, ref: Ref | undefined): void {
    if (ref === LOST) throw new DamagedError({ store: "content", key: JSON.stringify([space.thread, space.name, channel]) });
    if (ref === undefined || "bytes" in ref) return;
    for (const { log: branch, start, length } of ref.pieces) {
      const log = space.log(channel, branch);
      const stretches = this.#wanted.get(log);
      if (stretches === undefined) this.#wanted.set(log, [{ start, end: start + length }]);
      else stretches.push({ start, end: start + length });
    }
  }

  async fetch(tx: Reading): Promise<void> {
    const fetches: Promise<void>[] = [];
    if (countsOf(tx) !== undefined) this.#missing += this.#count((log, { start, end }) => end - start - log.countKnown(start, end));
    for (const [log, stretches] of this.#wanted) {
      // Stretches less than a block apart are in the same rows, or in the next ones.
      for (const { start, end } of merge(stretches, BLOCK)) fetches.push(log.fetch(tx, start, end));
    }
    await Promise.all(fetches);
  }

  async load(tx: Reading): Promise<void> {
    for (const [log, stretches] of this.#wanted) this.#wanted.set(log, merge(stretches, 0));
    await this.fetch(tx);
    const counts = countsOf(tx);
    if (counts !== undefined) {
      const elements = this.#count((_, { start, end }) => end - start);
      counts.elements += elements;
      counts.remembered += elements - this.#missing;
    }
    for (const [log, stretches] of this.#wanted) {
      this.#places.set(
        log,
        stretches.map((stretch) => ({ run: this.#runs.push(runOf(log.require(stretch.start, stretch.end))) - 1, stretch })),
      );
    }
  }

  #count(of: (log: Log, stretch: Stretch) => number): number {
    let sum = 0;
    for (const [log, stretches] of this.#wanted) for (const stretch of merge(stretches, 0)) sum += of(log, stretch);
    return sum;
  }

  value(space: NamespaceState, channel: Channel, ref: Ref): StoredValue & { readonly pieces: number[] } {
    if ("bytes" in ref) return { shape: ref.shape, pieces: this.#loosePiece(ref) };
    const pieces: number[] = [];
    for (const { log: branch, start, length } of ref.pieces) {
      const places = this.#places.get(space.log(channel, branch)) ?? [];
      const place = lastBefore(places, start);
      pieces.push(place.run, start - place.stretch.start, length);
    }
    return { shape: ref.shape, pieces };
  }

  /** The writes of steps, each with its tasks. */
  writes(space: NamespaceState, steps: Iterable<readonly (readonly [TaskId, Write])[]>): StoredWrites {
    const names = new Map<string, number>();
    const nameAt = (name: string) => {
      const known = names.get(name) ?? names.size;
      names.set(name, known);
      return known;
    };
    const numbers: number[] = [];
    let step = 0;
    for (const writes of steps) {
      for (const [task, { path, index, channel, ref }] of writes) {
        const { shape, pieces } = this.value(space, channel, ref);
        numbers.push(step, nameAt(task), nameAt(path), index, nameAt(channel), shape, pieces.length / 3);
        for (const number of pieces) numbers.push(number);
      }
      step++;
    }
    return { names: [...names.keys()], numbers: Int32Array.from(numbers) };
  }

  /** Of one reply, which is complete with this. */
  get runs(): readonly Run[] {
    return this.#loose.length === 0 ? this.#runs : [...this.#runs, runOf(this.#loose)];
  }

  /** The elements of values that are in no log come together in a last run. */
  #loosePiece({ bytes, ends }: EncodedValue): number[] {
    const first = this.#loose.length;
    let start = 0;
    for (const end of ends) {
      this.#loose.push(bytes.subarray(start, end));
      start = end;
    }
    return [this.#runs.length, first, this.#loose.length - first];
  }
}

/** Of places in order, the last that begins at a position or before it. */
function lastBefore<T extends { readonly stretch: Stretch }>(places: readonly T[], position: number): T {
  let [low, high] = [0, places.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (places[middle]!.stretch.start <= position) low = middle;
    else high = middle - 1;
  }
  return places[low]!;
}

/** The same positions as sorted stretches that are more than `gap` apart. */
function merge(stretches: readonly Stretch[], gap: number): Stretch[] {
  const merged: Stretch[] = [];
  for (const { start, end } of [...stretches].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end + gap) merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    else merged.push({ start, end });
  }
  return merged;
}

/** One after another, in memory that can be handed over. */
function runOf(elements: readonly Uint8Array[]): Run {
  const ends = new Uint32Array(elements.length);
  let size = 0;
  for (const [index, element] of elements.entries()) ends[index] = size += element.length;
  const bytes = new Uint8Array(size);
  for (const [index, element] of elements.entries()) bytes.set(element, ends[index]! - element.length);
  return { bytes, ends };
}
