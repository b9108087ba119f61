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
 */
export function requirePlain(bytes: Uint8Array, from: number, to: number): void {
  let level = 0;
  left[0] = 1;
  isMap[0] = 0;
  for (let at = from; ; ) {
    while (left[level] === 0) {
      if (level === 0) return at === to ? undefined : refuse("there is more than one value");
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

/** What a first byte announces: below 9 a value of so many bytes more. */
const [STRING, BYTES, ARRAY, MAP, NONE] = [10, 11, 12, 13, 14];

const KINDS = Uint8Array.from({ length: 256 }, (_, token) => {
  if (token < 0x80 || token >= 0xe0) return 0;
  if (token < 0xa0) return token < 0x90 ? MAP : ARRAY;
  if (token < 0xc0) return STRING;
  return (
    { 0xc0: 0, 0xc2: 0, 0xc3: 0, 0xc4: BYTES, 0xc5: BYTES, 0xc6: BYTES, 0xca: 4, 0xcb: 8, 0xcc: 1, 0xcd: 2, 0xce: 4, 0xd0: 1, 0xd1: 2, 0xd2: 4 }[token] ??
    ({ 0xd9: STRING, 0xda: STRING, 0xdb: STRING, 0xdc: ARRAY, 0xdd: ARRAY, 0xde: MAP, 0xdf: MAP }[token] ?? NONE)
  );
});

/** How many bytes of length follow a first byte. */
function lengthSize(token: number): number {
  switch (token) {
    case 0xc4:
    case 0xd9:
      return 1;
    case 0xc5:
    case 0xda:
    case 0xdc:
    case 0xde:
      return 2;
    case 0xc6:
    case 0xdb:
    case 0xdd:
    case 0xdf:
      return 4;
    default:
      return 0;
  }
}
