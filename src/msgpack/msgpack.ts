import { DamagedError } from "../errors/index.ts";

/*
 * MessagePack for trees of plain data: null, booleans, numbers, strings, bytes, arrays, and objects with string keys. What else
 * there is, `lower.ts` turns into these. A tree always gives the same bytes, since equal bytes are stored once.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Longer strings are quicker by the platform's encoder and decoder. */
const SHORT = 32;

/** A buffer that has become larger than this is not kept. */
const KEPT_BYTES = 1024 * 1024;

/** Writes one tree after another. */
export class Packer {
  #bytes = new Uint8Array(16 * 1024);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  /** The bytes are a view that holds until the next call. */
  pack(tree: unknown): Uint8Array {
    if (this.#bytes.length > KEPT_BYTES) this.#grow(KEPT_BYTES);
    this.#at = 0;
    this.#write(tree);
    return this.#bytes.subarray(0, this.#at);
  }

  #write(value: unknown): void {
    if (this.#at + 16 > this.#bytes.length) this.#reserve(16);
    switch (typeof value) {
      case "string":
        return this.#string(value);
      case "number":
        return this.#number(value);
      case "boolean":
        this.#bytes[this.#at++] = value ? 0xc3 : 0xc2;
        return;
      case "object":
        if (value === null) this.#bytes[this.#at++] = 0xc0;
        else if (Array.isArray(value)) this.#array(value);
        else if (value instanceof Uint8Array) this.#binary(value);
        else this.#map(value as Readonly<Record<string, unknown>>);
        return;
      default:
        throw new TypeError(`a ${typeof value} in a tree of plain data`);
    }
  }

  #number(value: number): void {
    const isUnsigned = value >>> 0 === value;
    if (!isUnsigned && value >> 0 !== value) {
      this.#bytes[this.#at] = 0xcb;
      this.#view.setFloat64(this.#at + 1, value);
      this.#at += 9;
    } else if (value < 0x80 && value >= -0x20) this.#bytes[this.#at++] = value & 0xff;
    else if (isUnsigned) this.#unsigned(value);
    else if (value >= -0x80) this.#header(0xd0, 1, value);
    else if (value >= -0x8000) this.#header(0xd1, 2, value);
    else this.#header(0xd2, 4, value);
  }

  #unsigned(value: number): void {
    if (value < 0x100) this.#header(0xcc, 1, value);
    else if (value < 0x10000) this.#header(0xcd, 2, value);
    else this.#header(0xce, 4, value);
  }

  #string(value: string): void {
    const { length } = value;
    this.#reserve(length * 3 + 5);
    const guess = headerOf(length);
    const start = this.#at + guess;
    const size = (length <= SHORT ? this.#ascii(value, start) : undefined) ?? encoder.encodeInto(value, this.#bytes.subarray(start)).written;
    const header = headerOf(size);
    if (header !== guess) this.#bytes.copyWithin(this.#at + header, start, start + size);
    if (size < 0x20) this.#bytes[this.#at++] = 0xa0 | size;
    else if (size < 0x100) this.#header(0xd9, 1, size);
    else if (size < 0x10000) this.#header(0xda, 2, size);
    else this.#header(0xdb, 4, size);
    this.#at += size;
  }

  /** The length, or undefined if there are characters beyond 7 bits. */
  #ascii(value: string, start: number): number | undefined {
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) return undefined;
      this.#bytes[start + index] = code;
    }
    return value.length;
  }

  #array(value: readonly unknown[]): void {
    const { length } = value;
    if (length < 0x10) this.#bytes[this.#at++] = 0x90 | length;
    else if (length < 0x10000) this.#header(0xdc, 2, length);
    else this.#header(0xdd, 4, length);
    for (let index = 0; index < length; index++) this.#write(value[index]);
  }

  #map(value: Readonly<Record<string, unknown>>): void {
    const keys = Object.keys(value);
    if (keys.length < 0x10) this.#bytes[this.#at++] = 0x80 | keys.length;
    else if (keys.length < 0x10000) this.#header(0xde, 2, keys.length);
    else this.#header(0xdf, 4, keys.length);
    for (const key of keys) {
      this.#string(key);
      this.#write(value[key]);
    }
  }

  #binary(value: Uint8Array): void {
    const { length } = value;
    this.#reserve(length + 5);
    if (length < 0x100) this.#header(0xc4, 1, length);
    else if (length < 0x10000) this.#header(0xc5, 2, length);
    else this.#header(0xc6, 4, length);
    this.#bytes.set(value, this.#at);
    this.#at += length;
  }

  #header(kind: number, width: 1 | 2 | 4, value: number): void {
    this.#bytes[this.#at++] = kind;
    if (width === 1) this.#view.setUint8(this.#at, value);
    else if (width === 2) this.#view.setUint16(this.#at, value);
    else this.#view.setUint32(this.#at, value);
    this.#at += width;
  }

  #reserve(size: number): void {
    const needed = this.#at + size;
    if (needed > this.#bytes.length) this.#grow(Math.max(needed, this.#bytes.length * 2));
  }

  #grow(size: number): void {
    const larger = new Uint8Array(size);
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** How many bytes are before a string of so many. */
function headerOf(size: number): number {
  return size < 0x20 ? 1 : size < 0x100 ? 2 : size < 0x10000 ? 3 : 5;
}

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
