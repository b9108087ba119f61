import { readText } from "./read.ts";
import { ARRAY, KINDS, MAP, STRING, Tokens } from "./tokens.ts";

/** Bytes that `pack` made, to be compared with values again and again. */
export class Packed {
  readonly bytes: Uint8Array;
  readonly #from: number;
  /** The texts in the bytes, as far as a value was compared: those of the value, so that it can be told by them at once. */
  readonly #texts: string[] = [];

  /** @param from where they begin */
  constructor(bytes: Uint8Array, from: number) {
    this.bytes = bytes;
    this.#from = from;
  }

  /**
   * Whether they are what `pack` makes of a value, told without making another value of them.
   *
   * @param isPlain asked about each array and object in the value, once for each place where it is
   */
  isOf(value: unknown, isPlain: (node: object) => boolean): boolean {
    const tokens = new Tokens(this.bytes, this.#from);
    return new Comparison(tokens, this.#texts, isPlain).isNext(value) && tokens.isAtEnd;
  }
}

class Comparison {
  readonly #tokens: Tokens;
  readonly #texts: string[];
  readonly #isPlain: (node: object) => boolean;
  #text = 0;

  constructor(tokens: Tokens, texts: string[], isPlain: (node: object) => boolean) {
    this.#tokens = tokens;
    this.#texts = texts;
    this.#isPlain = isPlain;
  }

  isNext(value: unknown): boolean {
    const token = this.#tokens.next();
    const kind = KINDS[token];
    if (kind === STRING) return typeof value === "string" && this.#isText(value, this.#tokens.length(token));
    if (kind === ARRAY || kind === MAP) {
      if (typeof value !== "object" || value === null || !this.#isPlain(value)) return false;
      const length = this.#tokens.length(token);
      if (Array.isArray(value)) return kind === ARRAY && value.length === length && value.every((item) => this.isNext(item));
      const keys = Object.keys(value);
      return kind === MAP && keys.length === length && keys.every((key) => this.isNext(key) && this.isNext((value as Record<string, unknown>)[key]));
    }
    const atom = this.#tokens.atom(token);
    return atom !== undefined && Object.is(value, atom);
  }

  #isText(text: string, length: number): boolean {
    // A character takes one to three bytes for each of its units.
    if (text.length > length || length > 3 * text.length) return false;
    const bytes = this.#tokens.take(length);
    const known = this.#texts[this.#text] ?? readText(bytes);
    if (known !== text) return false;
    this.#texts[this.#text++] = text;
    return true;
  }
}
