import { ARRAY, BYTES, KINDS, MAP, STRING, Tokens } from "./tokens.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** So long texts the platform decodes quicker than they are put together here. */
const LONG = 16;

/** The value that begins at a place in bytes, which are known to be plain data: slower than msgpackr, and exact. */
export function read(bytes: Uint8Array, from: number): unknown {
  return next(new Tokens(bytes, from));
}

function next(tokens: Tokens): unknown {
  const token = tokens.next();
  switch (KINDS[token]) {
    case STRING:
      return readText(tokens.take(tokens.length(token)));
    case BYTES:
      return tokens.take(tokens.length(token)).slice();
    case ARRAY:
      return Array.from({ length: tokens.length(token) }, () => next(tokens));
    case MAP: {
      const record: Record<string, unknown> = {};
      for (let left = tokens.length(token); left > 0; left--) {
        const key = next(tokens) as string;
        record[key] = next(tokens);
      }
      return record;
    }
    default:
      return tokens.atom(token);
  }
}

/** Every character of it, also a byte order mark at its beginning. */
export function readText(bytes: Uint8Array): string {
  if (bytes.length < LONG && bytes.every((byte) => byte < 0x80)) return String.fromCharCode(...bytes);
  return decoder.decode(bytes);
}
