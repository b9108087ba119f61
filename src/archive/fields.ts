/** Bytes that cannot be what they should. Whoever knows where they are says so. */
export class Malformed extends Error {}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Fields behind one another: numbers, texts and bytes. A text or bytes stand behind their length. */
export class FieldWriter {
  #bytes = new Uint8Array(64 * 1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** A whole number from 0 to 2^53 - 1, in base 128, the lowest digit first: all but the last digit have 128 added. */
  count(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.byte((rest % 128) + 128);
    this.byte(rest);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Eight bytes: a double, little-endian. */
  float(value: number): void {
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  bytes(value: Uint8Array): void {
    this.count(value.length);
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  text(value: string): void {
    this.bytes(encoder.encode(value));
  }

  /** What was written since the last time, as bytes of its own. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#length + length, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** The reverse. Never reads beyond the end, nor makes room for more than there is. */
export class FieldReader {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #at = 0;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  count(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const digit = this.byte();
      value += (digit & 0x7f) * factor;
      if (value > Number.MAX_SAFE_INTEGER) throw new Malformed("a number is too large");
      if (digit < 0x80) return value;
    }
  }

  /** A number of things that take at least a byte each. */
  countOf(): number {
    const value = this.count();
    if (value > this.#bytes.length - this.#at) throw new Malformed("a count is larger than what follows");
    return value;
  }

  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) throw new Malformed("a record ends too early");
    return value;
  }

  float(): number {
    return new DataView(this.#take(8).slice().buffer).getFloat64(0, true);
  }

  /** As a view. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#take(this.count());
  }

  text(): string {
    try {
      return decoder.decode(this.bytes());
    } catch (cause) {
      throw cause instanceof Malformed ? cause : new Malformed("a text is not UTF-8", { cause });
    }
  }

  /** A text that may not be empty. */
  id(): string {
    const text = this.text();
    if (text === "") throw new Malformed("an id is empty");
    return text;
  }

  #take(length: number): Uint8Array<ArrayBuffer> {
    if (length > this.#bytes.length - this.#at) throw new Malformed("a record ends too early");
    return this.#bytes.subarray(this.#at, (this.#at += length));
  }
}
