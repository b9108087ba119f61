import { CheckpointError, DamagedError } from "../errors/index.ts";

/*
 * A checksum tells that a row is as it was written, not by whom. So a row is read as what anybody may have put there: whatever it holds
 * is checked to be what this package writes, and then nothing that follows from it can take more time or space than rows do.
 */

/** Above every position of an element, depth and number of a branch: at so many, other limits are long passed. */
const LIMIT = 2 ** 24;

class Malformed extends Error {}

/** What `read` makes of a row's body. @throws DamagedError if the body is not such a row's */
export function wellFormed<T>(store: string, key: unknown, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (CheckpointError.is(cause)) throw cause;
    throw new DamagedError({ store, key: JSON.stringify(key) }, { cause });
  }
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : refuse("a list");
}

/** A list of groups of so many items, one behind another. */
export function* groups(value: unknown, size: number): Generator<readonly unknown[]> {
  const flat = list(value);
  if (flat.length % size !== 0) refuse(`a list of groups of ${size}`);
  for (let at = 0; at < flat.length; at += size) yield flat.slice(at, at + size);
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : refuse("a text");
}

export function truth(value: unknown): boolean {
  return typeof value === "boolean" ? value : refuse("true or false");
}

export function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array ? (value as Uint8Array<ArrayBuffer>) : refuse("bytes");
}

export function finite(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : refuse("a number");
}

/** A whole number, from zero up to `limit`, which it does not reach. */
export function whole(value: unknown, limit = LIMIT): number {
  return isWhole(value, limit) ? value : refuse("a whole number within bounds");
}

export function isWhole(value: unknown, limit = LIMIT): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < limit;
}

export function refuse(expected: string): never {
  throw new Malformed(`it is not ${expected}`);
}
