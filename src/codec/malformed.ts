import { CheckpointError, DamagedError } from "../errors/index.ts";

/*
 * Bytes whose checksum is right may have been written by anybody. What the codec does not write is refused; what it does write it may read.
 */

/** The error for stored bytes that are no value. */
export function malformed(what: string, cause?: unknown): DamagedError {
  return new DamagedError({ store: "content", key: what }, cause === undefined ? {} : { cause });
}

/** What `read` makes of stored bytes. Whatever goes wrong in it is a fault of the bytes. */
export function wellFormed<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw damageOf(cause);
  }
}

/** What is wrong with stored bytes that something was thrown at. */
export function damageOf(cause: unknown): Error {
  return CheckpointError.is(cause) ? cause : malformed("an element that holds no value", cause);
}

export function text(value: unknown): string {
  if (typeof value === "string") return value;
  throw malformed("something that is no text where one has to be");
}

export function number(value: unknown): number {
  if (typeof value === "number") return value;
  throw malformed("something that is no number where one has to be");
}

export function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  if (value instanceof Uint8Array) return value as Uint8Array<ArrayBuffer>;
  throw malformed("something that is no bytes where they have to be");
}

export function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw malformed("something that is no list where one has to be");
}

/** Keys and values by turns. */
export function entries(value: unknown): unknown[] {
  if (list(value).length % 2 === 0) return list(value);
  throw malformed("a key without a value");
}

/** An object with fields: plain data, since it comes out of stored bytes. */
export function record(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw malformed("something that has no fields where it has to");
}

/** Gives an instance its fields, each as a field of its own, also one that is called `__proto__`. */
export function withFields<T extends object>(instance: T, fields: unknown): T {
  return Object.defineProperties(instance, Object.getOwnPropertyDescriptors(record(fields)));
}
