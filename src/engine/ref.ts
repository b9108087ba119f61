import { type Branch, type CheckpointId, idKey, idOf, isUuid, type TaskId } from "../idb/index.ts";
import type { EncodedValue } from "./types.ts";

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

export function packRef(ref: Ref): PackedRef {
  if ("bytes" in ref) return ref.ends.length === 1 ? [ref.shape, ref.bytes] : [ref.shape, ref.bytes, [...ref.ends]];
  return [ref.shape, ref.pieces.flatMap(({ log, start, length }) => [log, start, length])];
}

export function unpackRef([shape, content, ends]: PackedRef): Ref {
  if (content instanceof Uint8Array) return { shape, bytes: content, ends: ends ?? [content.length] };
  const pieces: Piece[] = [];
  for (let at = 0; at < content.length; at += 3) {
    pieces.push({ log: content[at] as Branch, start: content[at + 1]!, length: content[at + 2]! });
  }
  return { shape, pieces };
}

/** An id in the body of a row: UUIDs are shorter as bytes. */
export type PackedId = string | Uint8Array;

export function packId(id: CheckpointId | TaskId): PackedId {
  return isUuid(id) ? idKey(id) : id;
}

export function unpackId<T extends CheckpointId | TaskId>(packed: PackedId): T {
  return idOf<T>(packed as Uint8Array<ArrayBuffer>);
}
