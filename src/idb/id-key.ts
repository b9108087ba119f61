import type { CheckpointId, TaskId } from "./schema.ts";

/**
 * An id in a key: a UUID as its 16 bytes, which take a quarter of its text, any other id as it is. Bytes sort like the texts
 * they stand for, but after all strings: whoever reads in the order of ids reads both kinds.
 */
export type IdKey = string | Uint8Array<ArrayBuffer>;

const UUID_BYTES = 16;

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function isUuid(id: string): boolean {
  return id.length === 36 && UUID.test(id);
}

export function idKey(id: CheckpointId | TaskId): IdKey {
  if (!isUuid(id)) return id;
  const bytes = new Uint8Array(UUID_BYTES);
  for (let at = 0, byte = 0; byte < UUID_BYTES; at += 2) {
    if (id[at] === "-") at++;
    bytes[byte++] = Number.parseInt(id.slice(at, at + 2), 16);
  }
  return bytes;
}

/** @param key as IndexedDB gives it back, which is a buffer for bytes */
export function idOf<T extends CheckpointId | TaskId>(key: IdKey | ArrayBuffer): T {
  if (typeof key === "string") return key as T;
  if (!(key instanceof ArrayBuffer || ArrayBuffer.isView(key))) return String(key) as T; // A key that this package did not make.
  let text = "";
  for (const [index, byte] of new Uint8Array(key).entries()) {
    text += index === 4 || index === 6 || index === 8 || index === 10 ? `-${HEX[byte]}` : HEX[byte];
  }
  return text as T;
}

/**
 * A key as it was stored. WebKit (2.50) gives bytes that are not the last part of a key back with all that follows them, so that
 * such a key finds nothing and bounds the wrong rows.
 */
export function asStored<K>(key: K): K {
  if (!Array.isArray(key)) return key;
  return key.map((part: unknown) => (part instanceof ArrayBuffer ? new Uint8Array(part, 0, UUID_BYTES) : part)) as K;
}
