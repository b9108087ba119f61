import type { Branch } from "../idb/index.ts";
import { type EncodedValue, isSingle } from "./types.ts";
import { LOST, LOST_SHAPE } from "./lost.ts";
import { bytes, groups, list, refuse, whole } from "./well-formed.ts";

/** A stretch of elements in one of the logs of a channel. */
export interface Piece {
  readonly log: Branch;
  readonly start: number;
  readonly length: number;
}

/** How a row holds a value: small ones as they are, others as the places of their elements. */
export type Ref = EncodedValue | StoredRef;

export interface StoredRef {
  readonly shape: number;
  readonly pieces: readonly Piece[];
}

export type PackedRef = [shape: number, content: Uint8Array<ArrayBuffer> | number[], ends?: number[]];

const SHAPES = 17;

export function packRef(ref: Ref): PackedRef {
  if ("bytes" in ref) return ref.ends.length === 1 ? [ref.shape, ref.bytes] : [ref.shape, ref.bytes, [...ref.ends]];
  return [ref.shape, ref.pieces.flatMap(({ log, start, length }) => [log, start, length])];
}

/** @param packed what {@link packRef} made, or anything else, which is refused */
export function unpackRef(packed: unknown): Ref {
  const [kind, content, places] = list(packed);
  const shape = whole(kind, SHAPES);
  if (shape === LOST_SHAPE) return LOST;
  if (content instanceof Uint8Array) {
    const ends = places === undefined ? [content.length] : list(places).map((end) => whole(end, content.length + 1));
    if (ends.some((end, index) => end < (ends[index - 1] ?? 0)) || (ends.at(-1) ?? 0) !== content.length) refuse("elements behind one another");
    requireCount(shape, ends.length);
    return { shape, bytes: bytes(content), ends };
  }
  const pieces: Piece[] = [];
  let count = 0;
  for (const [log, start, length] of groups(content, 3)) {
    const piece = { log: whole(log) as Branch, start: whole(start), length: whole(length) };
    whole(piece.start + piece.length);
    if (piece.length === 0) refuse("a stretch of elements");
    count += piece.length;
    pieces.push(piece);
  }
  requireCount(shape, count);
  return { shape, pieces };
}

/** Whether a reader takes it for a value: of what another wrote it is not known. */
export function isReadable(ref: Ref): boolean {
  try {
    return unpackRef(packRef(ref)) !== LOST;
  } catch {
    return false;
  }
}

function requireCount(shape: number, count: number): void {
  if (isSingle(shape) && count !== 1) refuse("one element");
}
