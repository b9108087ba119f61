/*
 * MessagePack for trees of plain data: null, booleans, numbers, strings, bytes, arrays, and objects with string keys. What else
 * there is, the codec turns into these. A tree always gives the same bytes, since equal bytes are stored once.
 */

const encoder = new TextEncoder();

/** Longer strings are quicker by the platform's encoder. */
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
    this.#at = 0;
    if (this.#bytes.length > KEPT_BYTES) this.#grow(KEPT_BYTES);
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
