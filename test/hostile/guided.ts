import { Codec } from "../../src/codec/index.ts";
import { langGraphTypes, snapshots } from "../../src/saver/langgraph-types.ts";
import { difference } from "../support/difference.ts";
import { kinds, orRefused } from "./row-kinds.ts";

/* For a fuzzer that is guided by what the bytes reach: see scripts/fuzz.mjs. */

const codec = new Codec(langGraphTypes, snapshots);
const rows = Object.values(kinds);

/** The first byte says what the others are taken for. Throws where `decoder.test.ts` would fail. */
export function fuzz(input: Uint8Array): void {
  const [kind = 0, ...rest] = input;
  const bytes = Uint8Array.from(rest);
  const row = rows[kind % (rows.length + 1)];
  const found = orRefused(() => (row === undefined ? element(bytes) : row.rewrite(bytes)));
  const differing = found && difference(found[1], found[0]);
  if (differing !== undefined) throw new Error(`read as one thing, and written as another: ${JSON.stringify(differing)}`);
}

function element(bytes: Uint8Array<ArrayBuffer>): readonly [read: unknown, again: unknown] | undefined {
  const read = codec.assemble(0, codec.decode({ bytes, ends: [bytes.length] }, 0, 1, 0));
  const written = orRefused(() => codec.encode(read, "value"));
  return written && [read, codec.assemble(written.shape, codec.decode(written, 0, written.ends.length, written.shape))];
}

/** What to begin with. */
export function seeds(): Uint8Array[] {
  const values = [{ list: [1, "two", new Map([[new Date(3), /4/g]])], big: 5n, error: new TypeError("6") }, [new Uint8Array(7), -0, undefined, NaN]];
  const elements = values.map((value) => codec.encode(value, "value")).map(({ bytes, ends }) => bytes.subarray(0, ends[0]));
  return [...rows.map(({ body }) => body), ...elements].map((bytes, kind) => Uint8Array.of(Math.min(kind, rows.length), ...bytes));
}
