import type { Channel, Reading } from "../idb/index.ts";
import { BLOCK, type Log } from "./log.ts";
import type { NamespaceState } from "./namespace.ts";
import type { Ref } from "./ref.ts";
import type { Run, StoredValue } from "./types.ts";

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Collects the content that the values of a reply need, so that each element is read once and sent once, however many
 * values share it. First every value is announced by {@link want}; then {@link load} reads what is missing; then
 * {@link value} and {@link runs} give the reply.
 */
export class Gather {
  readonly #wanted = new Map<Log, Stretch[]>();
  readonly #runs: Run[] = [];
  readonly #places = new Map<Log, { readonly run: number; readonly stretch: Stretch }[]>();

  want(space: NamespaceState, channel: Channel, ref: Ref | undefined): void {
    if (ref === undefined || "bytes" in ref) return;
    for (const { log: branch, start, length } of ref.pieces) {
      const log = space.log(channel, branch);
      const stretches = this.#wanted.get(log);
      if (stretches === undefined) this.#wanted.set(log, [{ start, end: start + length }]);
      else stretches.push({ start, end: start + length });
    }
  }

  async load(tx: Reading): Promise<void> {
    const fetches: Promise<void>[] = [];
    for (const [log, stretches] of this.#wanted) {
      this.#wanted.set(log, merge(stretches, 0));
      // Stretches less than a block apart are in the same rows, or in the next ones.
      for (const { start, end } of merge(stretches, BLOCK)) fetches.push(log.fetch(tx, start, end));
    }
    await Promise.all(fetches);
    for (const [log, stretches] of this.#wanted) {
      for (const { start, end } of stretches) log.require(start, end);
      this.#places.set(
        log,
        stretches.map((stretch) => ({ run: this.#runs.push(copy(log, stretch)) - 1, stretch })),
      );
    }
  }

  value(space: NamespaceState, channel: Channel, ref: Ref): StoredValue {
    if ("bytes" in ref) return { shape: ref.shape, bytes: ref.bytes.slice(), ends: ref.ends.slice() };
    const pieces: number[] = [];
    for (const { log: branch, start, length } of ref.pieces) {
      const places = this.#places.get(space.log(channel, branch)) ?? [];
      const place = lastBefore(places, start);
      pieces.push(place.run, start - place.stretch.start, length);
    }
    return { shape: ref.shape, pieces };
  }

  get runs(): readonly Run[] {
    return this.#runs;
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

function copy(log: Log, { start, end }: Stretch): Run {
  const ends = new Uint32Array(end - start);
  let size = 0;
  for (let position = start; position < end; position++) ends[position - start] = size += log.at(position)!.length;
  const bytes = new Uint8Array(size);
  for (let position = start; position < end; position++) {
    const element = log.at(position)!;
    bytes.set(element, ends[position - start]! - element.length);
  }
  return { bytes, ends };
}
