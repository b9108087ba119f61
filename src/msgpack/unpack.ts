import { DamagedError } from "../errors/index.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Longer strings are quicker by the platform's decoder. */
const SHORT = 32;

/** Reads one tree. Bytes of a tree are copies. @throws DamagedError for bytes that are not a tree */
export function unpack(bytes: Uint8Array): unknown {
  const reader = new Reader(bytes);
  const tree = readWhole(reader);
  if (reader.left > 0) throw damaged();
  return tree;
}

function readWhole(reader: Reader): unknown {
  try {
    return reader.read();
  } catch (error) {
    // Nested deeper than anything that was written.
    throw error instanceof RangeError ? damaged() : error;
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  read(): unknown {
    const kind = this.#bytes[this.#take(1)]!;
    if (kind < 0x80) return kind;
    if (kind < 0x90) return this.#map(kind & 0x0f);
    if (kind < 0xa0) return this.#array(kind & 0x0f);
    if (kind < 0xc0) return this.#string(kind & 0x1f);
    if (kind >= 0xe0) return kind - 0x100;
    switch (kind) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#binary(this.#unsigned(kind - 0xc4));
      case 0xcb:
        return this.#view.getFloat64(this.#take(8));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#unsigned(kind - 0xcc);
      case 0xd0:
        return this.#view.getInt8(this.#take(1));
      case 0xd1:
        return this.#view.getInt16(this.#take(2));
      case 0xd2:
        return this.#view.getInt32(this.#take(4));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#string(this.#unsigned(kind - 0xd9));
      case 0xdc:
      case 0xdd:
        return this.#array(this.#unsigned(kind - 0xdb));
      case 0xde:
      case 0xdf:
        return this.#map(this.#unsigned(kind - 0xdd));
      default:
        throw damaged();
    }
  }

  /** @param size 0, 1 and 2 for 8, 16 and 32 bits */
  #unsigned(size: number): number {
    if (size === 0) return this.#bytes[this.#take(1)]!;
    return size === 1 ? this.#view.getUint16(this.#take(2)) : this.#view.getUint32(this.#take(4));
  }

  #array(length: number): unknown[] {
    if (length > this.left) throw damaged();
    const array: unknown[] = new Array(length);
    for (let index = 0; index < length; index++) array[index] = this.read();
    return array;
  }

  #map(length: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    for (let count = 0; count < length; count++) {
      const key = this.#key();
      const value = this.read();
      if (key === "__proto__") Object.defineProperty(map, key, { value, enumerable: true, writable: true, configurable: true });
      else map[key] = value;
    }
    return map;
  }

  #key(): string {
    const kind = this.#bytes[this.#at];
    if (kind === undefined) throw damaged();
    if (kind >= 0xa0 && kind < 0xc0) {
      const start = this.#at + 1;
      this.#take(1 + (kind & 0x1f));
      return knownKey(this.#bytes, start, this.#at);
    }
    const key = this.read();
    if (typeof key !== "string") throw damaged();
    return key;
  }

  #string(size: number): string {
    const start = this.#take(size);
    return (size <= SHORT ? ascii(this.#bytes, start, this.#at) : undefined) ?? decoder.decode(this.#bytes.subarray(start, this.#at));
  }

  #binary(size: number): Uint8Array {
    const start = this.#take(size);
    return new Uint8Array(this.#bytes.subarray(start, this.#at)); // A copy, also of a Buffer.
  }

  /** Steps over so many bytes. Gives where they begin. */
  #take(size: number): number {
    const start = this.#at;
    this.#at += size;
    if (this.#at > this.#bytes.length) throw damaged();
    return start;
  }
}

const codes: number[] = [];

/** The text, or undefined if there are characters beyond 7 bits. */
function ascii(bytes: Uint8Array, start: number, end: number): string | undefined {
  codes.length = end - start;
  for (let at = start; at < end; at++) {
    const code = bytes[at]!;
    if (code > 0x7f) return undefined;
    codes[at - start] = code;
  }
  return String.fromCharCode.apply(undefined, codes);
}

/** The same few keys come again and again. By a hash of their bytes. */
const keys: { readonly bytes: Uint8Array; readonly text: string }[] = [];

function knownKey(bytes: Uint8Array, start: number, end: number): string {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = (hash * 31 + bytes[at]!) & 0x3ff;
  const known = keys[hash];
  if (known !== undefined && isAt(known.bytes, bytes, start, end)) return known.text;
  const text = ascii(bytes, start, end) ?? decoder.decode(bytes.subarray(start, end));
  keys[hash] = { bytes: bytes.slice(start, end), text };
  return text;
}

function isAt(expected: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (expected.length !== end - start) return false;
  for (let at = start; at < end; at++) if (bytes[at] !== expected[at - start]) return false;
  return true;
}

function damaged(): DamagedError {
  return new DamagedError({ store: "content", key: "an element" });
}
