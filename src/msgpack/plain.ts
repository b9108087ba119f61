import { ARRAY, BYTES, KINDS, lengthSize, MAP, NONE, STRING } from "./tokens.ts";

/** Values deeper than the codec lets any be, its own envelopes around each level included. */
const DEEPEST = 8000;

/** Of each level that is open: how many values are still to come, and whether they are keys and values by turns. */
const left = new Float64Array(DEEPEST);
const isMap = new Uint8Array(DEEPEST);

const PROTO = Uint8Array.from("__proto__", (character) => character.charCodeAt(0));

/** Bytes that are not one value of plain data. */
class NotPlain extends Error {}

/**
 * Throws unless the bytes from one place up to another are just one value of what this package writes: null, booleans, numbers,
 * strings, bytes, arrays, and objects with string keys. MessagePack has extensions beside these, and its reader makes errors, regular
 * expressions, shared references and compiled functions of them: bytes that ask for any are refused before it sees them. So are
 * lengths beyond the end, before anything is allocated for them.
 *
 * @returns whether a text in it begins with a byte order mark, which msgpackr would drop
 */
export function requirePlain(bytes: Uint8Array, from: number, to: number): boolean {
  let level = 0;
  let hasOrderMark = false;
  left[0] = 1;
  isMap[0] = 0;
  for (let at = from; ; ) {
    while (left[level] === 0) {
      if (level === 0) return at === to ? hasOrderMark : refuse("there is more than one value");
      level--;
    }
    if (at >= to) refuse("the value has no end");
    const isKey = isMap[level] === 1 && left[level]! % 2 === 0;
    left[level]!--;
    const token = bytes[at++]!;
    const size = lengthSize(token);
    if (at + size > to) refuse("the value has no end");
    let length = token & (token < 0xa0 ? 0x0f : 0x1f);
    if (size > 0) {
      length = 0;
      for (let end = at + size; at < end; ) length = length * 256 + bytes[at++]!;
    }
    const kind = KINDS[token]!;
    if (isKey && kind !== STRING) refuse("a key is no string");
    if (kind === STRING || kind === BYTES) {
      if (isKey && length === PROTO.length && PROTO.every((byte, index) => bytes[at + index] === byte)) refuse("a key is __proto__");
      if (length > to - at) refuse("a text or its like is longer than the rest");
      if (kind === STRING && bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf) hasOrderMark = true;
      at += length;
    } else if (kind === ARRAY || kind === MAP) {
      const count = kind === MAP ? 2 * length : length;
      if (count > to - at) refuse("there are fewer values than it says");
      if (++level === DEEPEST) refuse("the values are nested too deeply");
      left[level] = count;
      isMap[level] = kind === MAP ? 1 : 0;
    } else if (kind === NONE) {
      refuse(`there is no plain value that begins with ${token}`);
    } else {
      at += kind;
    }
  }
}

function refuse(reason: string): never {
  throw new NotPlain(reason);
}
