import { readText } from "./read.ts";
import { ARRAY, KINDS, MAP, STRING, Tokens } from "./tokens.ts";

/**
 * Whether bytes are what `pack` made of a value, told without making another value of them.
 *
 * @param isPlain asked about each array and object in the value, once for each place where it is
 */
export function isPacked(value: unknown, bytes: Uint8Array, from: number, isPlain: (node: object) => boolean): boolean {
  const tokens = new Tokens(bytes, from);
  return isNext(value, tokens, isPlain) && tokens.isAtEnd;
}

function isNext(value: unknown, tokens: Tokens, isPlain: (node: object) => boolean): boolean {
  const token = tokens.next();
  const kind = KINDS[token];
  if (kind === STRING) return typeof value === "string" && isText(value, tokens, tokens.length(token));
  if (kind === ARRAY || kind === MAP) {
    if (typeof value !== "object" || value === null || !isPlain(value)) return false;
    if (Array.isArray(value)) return kind === ARRAY && value.length === tokens.length(token) && value.every((item) => isNext(item, tokens, isPlain));
    const keys = Object.keys(value);
    if (kind === ARRAY || keys.length !== tokens.length(token)) return false;
    return keys.every((key) => isNext(key, tokens, isPlain) && isNext((value as Record<string, unknown>)[key], tokens, isPlain));
  }
  const atom = tokens.atom(token);
  return atom !== undefined && Object.is(value, atom);
}

/** A character takes one to three bytes for each of its units. */
function isText(text: string, tokens: Tokens, length: number): boolean {
  return text.length <= length && length <= 3 * text.length && readText(tokens.take(length)) === text;
}
