import { InternalError } from "../errors/index.ts";
import type { Log } from "./log.ts";
import type { Piece, Ref } from "./ref.ts";
import { inline, place } from "./store-value.ts";
import type { EditedValue } from "./thread-types.ts";
import type { EncodedValue } from "./types.ts";

/** A list that is made of an earlier one: its pieces are cut out of the earlier one's, and only what is new goes to the log. */
export function edit(value: EditedValue, earlier: Ref, log: Log): Ref {
  if ("bytes" in earlier) {
    const whole = spliced(value, earlier);
    return inline(whole) ?? place(whole, [log], []);
  }
  const added = place(value, [log], []);
  const result: Piece[] = [];
  let next = 0;
  for (const segment of value.segments) {
    const isNew = segment.length === 1;
    const stretch = isNew ? take(added.pieces, next, segment[0]) : take(earlier.pieces, segment[0], segment[1]);
    if (isNew) next += segment[0];
    for (const piece of stretch) add(result, piece);
  }
  return { shape: value.shape, pieces: result };
}

function add(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.log === piece.log && last.start + last.length === piece.start) {
    pieces[pieces.length - 1] = { ...last, length: last.length + piece.length };
  } else {
    pieces.push(piece);
  }
}

/** The part of a list in pieces that has `count` elements from `start` on, or as many as there are. */
export function take(pieces: readonly Piece[], start: number, count: number): Piece[] {
  const taken: Piece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const first = Math.max(start, at);
    const length = Math.min(start + count, at + piece.length) - first;
    if (length > 0) taken.push({ log: piece.log, start: piece.start + first - at, length });
    at += piece.length;
  }
  return taken;
}

/** The list whole, where the earlier one is small enough to be in its row. */
function spliced(value: EditedValue, earlier: EncodedValue): EncodedValue {
  const parts: Uint8Array[] = [];
  let next = 0;
  for (const segment of value.segments) {
    if (segment.length === 1) for (let count = 0; count < segment[0]; count++) parts.push(element(value, next++));
    else for (let at = segment[0]; at < Math.min(segment[0] + segment[1], earlier.ends.length); at++) parts.push(element(earlier, at));
  }
  const bytes = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  const ends: number[] = [];
  let size = 0;
  for (const part of parts) {
    bytes.set(part, size);
    ends.push((size += part.length));
  }
  return { shape: value.shape, bytes, ends };
}

function element({ bytes, ends }: EncodedValue, at: number): Uint8Array {
  const end = ends[at];
  if (end === undefined) throw new InternalError({ reason: "an edit of a list refers to an element that it does not have" });
  return bytes.subarray(at === 0 ? 0 : ends[at - 1], end);
}
