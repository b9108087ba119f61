import { DamagedError } from "../errors/index.ts";
import type { Sealed } from "../idb/index.ts";
import { hash, hashText } from "./hash.ts";

/**
 * Every row carries a checksum over its key and its bytes, so that a flipped bit, or a row under another row's key, is an
 * error and never a wrong value. Shape: four bytes of checksum, little-endian, then the body.
 */
const CHECKSUM_BYTES = 4;

export function seal(key: readonly (string | number)[], body: Uint8Array): Sealed {
  const row = new Uint8Array(CHECKSUM_BYTES + body.length);
  row.set(body, CHECKSUM_BYTES);
  new DataView(row.buffer).setUint32(0, checksum(key, row), true);
  return row;
}

/** The body, as a view. */
export function unseal(store: string, key: readonly (string | number)[], row: unknown): Uint8Array<ArrayBuffer> {
  if (!(row instanceof Uint8Array) || row.length < CHECKSUM_BYTES || stored(row) !== checksum(key, row)) {
    throw new DamagedError({ store, key: JSON.stringify(key) });
  }
  return (row as Uint8Array<ArrayBuffer>).subarray(CHECKSUM_BYTES);
}

function stored(row: Uint8Array): number {
  return new DataView(row.buffer, row.byteOffset, CHECKSUM_BYTES).getUint32(0, true);
}

function checksum(key: readonly (string | number)[], row: Uint8Array): number {
  let seed = 0;
  for (const part of key) seed = hashText(String(part), seed);
  return hash(row, seed, CHECKSUM_BYTES);
}
