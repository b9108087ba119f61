import type { CheckpointId, TaskId } from "./schema.ts";

/**
 * An id in a key: a UUID as nine UTF-16 units of 15 bits each, 18 bytes where its text takes 72; any other id as it is, behind a mark. Keys of
 * UUIDs sort like the texts they stand for, but after all others: whoever reads in the order of ids reads both kinds. Sixteen bytes
 * as a binary key would be shorter still, but WebKit (2.50) neither gives them back nor deletes ranges of them rightly, and
 * Playwright's `storageState` fails on them in Firefox.
 */
export type IdKey = string;

const TEXT = "!";

/** The unit for zero: above the mark, and so low that the highest is below the surrogates. */
const ZERO = 0x100;

const UNIT_BITS = 15;
const UUID_UNITS = 9;
const UUID_DIGITS = 32;

/** After the keys of all other ids, and before those of all UUIDs. */
export const FIRST_UUID: IdKey = String.fromCharCode(ZERO);

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

export function isUuid(id: string): boolean {
  return id.length === 36 && UUID.test(id);
}

/** The key of an id that is no UUID; of a text that is one the place that it would have among those. */
export function textKey(text: string): IdKey {
  return TEXT + text;
}

export function idKey(id: string): IdKey {
  if (!isUuid(id)) return textKey(id);
  let key = "";
  let [held, bits] = [0, 0];
  for (let at = 0; at < id.length; at++) {
    if (id[at] === "-") continue;
    held = (held << 4) | Number.parseInt(id[at]!, 16);
    bits += 4;
    if (bits < UNIT_BITS) continue;
    bits -= UNIT_BITS;
    key += String.fromCharCode(ZERO + (held >> bits));
    held &= (1 << bits) - 1;
  }
  return key + String.fromCharCode(ZERO + (held << (UNIT_BITS - bits)));
}

export function idOf<T extends CheckpointId | TaskId>(key: unknown): T {
  if (typeof key !== "string" || (key[0] !== TEXT && key.length !== UUID_UNITS)) return String(key) as T; // A key that this package did not make.
  if (key[0] === TEXT) return key.slice(TEXT.length) as T;
  let digits = "";
  let [held, bits] = [0, 0];
  for (let at = 0; at < key.length; at++) {
    held = (held << UNIT_BITS) | (key.charCodeAt(at) - ZERO);
    bits += UNIT_BITS;
    for (; bits >= 4 && digits.length < UUID_DIGITS; held &= (1 << bits) - 1) {
      bits -= 4;
      digits += (held >> bits).toString(16);
    }
  }
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join("-") as T;
}
