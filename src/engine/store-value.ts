import { ValueTooLargeError } from "../errors/index.ts";
import type { Branch, Channel } from "../idb/index.ts";
import { type Log, sameBytes } from "./log.ts";
import type { Piece, Ref, StoredRef } from "./ref.ts";
import { type EncodedValue, isSingle } from "./types.ts";

/** Up to here a value stays in the row that names it: a place in a log would take about as much. */
const INLINE_BYTES = 48;
const INLINE_ITEMS = 16;
const BRIEF_BYTES = 4096;

/** What a row of content can say of the length of an element is a little more. */
const ELEMENT_LIMIT = 256_000_000;

/** What is not in a row of content is in one record. */
const RECORD_LIMIT = 100_000_000;

/** Small values need no log. */
export function inline(value: EncodedValue): Ref | undefined {
  return value.bytes.length <= INLINE_BYTES && value.ends.length <= INLINE_ITEMS ? value : undefined;
}

/** A value that is one element, as most are that a single checkpoint holds, a graph's input say. */
export function isBrief(value: EncodedValue): boolean {
  return isSingle(value.shape) && value.bytes.length <= BRIEF_BYTES;
}

/** @throws ValueTooLargeError for an element that no row can hold, or for a value that no record can hold if it is to be `inRecord` */
export function requireStorable(value: EncodedValue, channel: Channel, inRecord = false): void {
  if (inRecord && value.bytes.length > RECORD_LIMIT) throw new ValueTooLargeError({ channel, bytes: value.bytes.length, limit: RECORD_LIMIT });
  let start = 0;
  for (const end of value.ends) {
    if (end - start > ELEMENT_LIMIT) throw new ValueTooLargeError({ channel, bytes: end - start, limit: ELEMENT_LIMIT });
    start = end;
  }
}

/**
 * Gives a value as pieces of the channel's logs. Elements that are in one of `logs` already (compared by bytes, never by
 * identity: a message changed in place is a different one) are referred to; only the others are added, to the first log.
 * `hint` is where an earlier version of the value is: a list that grew follows it element by element.
 */
export function place(value: EncodedValue, logs: readonly [Log, ...Log[]], hint: readonly Piece[]): StoredRef {
  const guess = new Guess(logs, hint);
  const pieces: Piece[] = [];
  let start = 0;
  for (const end of value.ends) {
    const element = value.bytes.subarray(start, end);
    const found = guess.next(element) ?? search(logs, element) ?? { log: logs[0], position: logs[0].add(element) };
    guess.after(found);
    const last = pieces.at(-1);
    if (last !== undefined && last.log === found.log.name && last.start + last.length === found.position) {
      pieces[pieces.length - 1] = { ...last, length: last.length + 1 };
    } else {
      pieces.push({ log: found.log.name, start: found.position, length: 1 });
    }
    start = end;
  }
  return { shape: value.shape, pieces };
}

interface Place {
  readonly log: Log;
  readonly position: number;
}

function search(logs: readonly Log[], element: Uint8Array): Place | undefined {
  for (const log of logs) {
    const position = log.find(element);
    if (position !== undefined) return { log, position };
  }
  return undefined;
}

/** Guesses that the next element is the one that came after the last one before. */
class Guess {
  readonly #logs: ReadonlyMap<Branch, Log>;
  readonly #jumps = new Map<string, Piece>();
  #next: Place | undefined;

  constructor(logs: readonly [Log, ...Log[]], hint: readonly Piece[]) {
    this.#logs = new Map(logs.map((log) => [log.name, log]));
    for (const [index, piece] of hint.entries()) {
      const next = hint[index + 1];
      if (next !== undefined) this.#jumps.set(`${piece.start + piece.length} ${piece.log}`, next);
    }
    const first = hint[0];
    const log = this.#logs.get(first?.log ?? (logs.at(-1) as Log).name);
    if (log !== undefined) this.#next = { log, position: first?.start ?? 0 };
  }

  next(element: Uint8Array): Place | undefined {
    const place = this.#next;
    return place !== undefined && sameBytes(place.log.at(place.position), element) ? place : undefined;
  }

  after({ log, position }: Place): void {
    const jump = this.#jumps.size === 0 ? undefined : this.#jumps.get(`${position + 1} ${log.name}`);
    const target = jump === undefined ? log : this.#logs.get(jump.log);
    this.#next = target === undefined ? undefined : { log: target, position: jump?.start ?? position + 1 };
  }
}
