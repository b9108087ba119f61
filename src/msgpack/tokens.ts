/** What a first byte announces: below 9 a value of so many bytes more. */
export const [STRING, BYTES, ARRAY, MAP, NONE] = [10, 11, 12, 13, 14];

export const KINDS = Uint8Array.from({ length: 256 }, (_, token) => {
  if (token < 0x80 || token >= 0xe0) return 0;
  if (token < 0xa0) return token < 0x90 ? MAP : ARRAY;
  if (token < 0xc0) return STRING;
  return (
    { 0xc0: 0, 0xc2: 0, 0xc3: 0, 0xc4: BYTES, 0xc5: BYTES, 0xc6: BYTES, 0xca: 4, 0xcb: 8, 0xcc: 1, 0xcd: 2, 0xce: 4, 0xd0: 1, 0xd1: 2, 0xd2: 4 }[token] ??
    ({ 0xd9: STRING, 0xda: STRING, 0xdb: STRING, 0xdc: ARRAY, 0xdd: ARRAY, 0xde: MAP, 0xdf: MAP }[token] ?? NONE)
  );
});

/** How many bytes of length follow a first byte. */
export function lengthSize(token: number): number {
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

/** Goes through bytes from value to value. */
export class Tokens {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, from: number) {
    this.#bytes = bytes;
    this.#at = from;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** The first byte of the next value. */
  next(): number {
    return this.#bytes[this.#at++]!;
  }

  /** That of a text, of bytes, of an array or a map. */
  length(token: number): number {
    const size = lengthSize(token);
    return size === 0 ? token & (token < 0xa0 ? 0x0f : 0x1f) : this.#unsigned(size);
  }

  /** The bytes of a text or of bytes. */
  take(length: number): Uint8Array {
    return this.#bytes.subarray(this.#at, (this.#at += length));
  }

  /** A number, a boolean or null; undefined for anything else. */
  atom(token: number): number | boolean | null | undefined {
    if (token < 0x80) return token;
    if (token >= 0xe0) return token - 256;
    if (token === 0xc0) return null;
    if (token === 0xc2 || token === 0xc3) return token === 0xc3;
    const size = KINDS[token]!;
    if (token < 0xca || size > 8 || this.#at + size > this.#bytes.length) return undefined;
    if (token < 0xcc) return this.#float(size);
    const number = this.#unsigned(size);
    return token < 0xd0 || number < 2 ** (8 * size - 1) ? number : number - 2 ** (8 * size);
  }

  #float(size: number): number {
    const { buffer, byteOffset } = this.take(size);
    const view = new DataView(buffer, byteOffset, size);
    return size === 4 ? view.getFloat32(0) : view.getFloat64(0);
  }

  #unsigned(size: number): number {
    let number = 0;
    for (const end = this.#at + size; this.#at < end; ) number = number * 256 + this.#bytes[this.#at++]!;
    return number;
  }
}
