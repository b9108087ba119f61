import fc from "fast-check";
import { expect, it } from "vitest";
import { Codec } from "../../src/codec/index.ts";
import { langGraphTypes, snapshots } from "../../src/saver/langgraph-types.ts";
import { plainSnapshots, plainTypes } from "../../src/threads/types.ts";
import { graph, tree } from "../support/arbitrary-values.ts";
import { difference } from "../support/difference.ts";
import { fuzzing, mutated, mutations } from "./bytes.ts";
import { kinds, orRefused } from "./row-kinds.ts";

/* Bytes that may be anything, under a checksum that is right: what is made of them is a value, the same each time, or an error with a code. */

const names = Object.getOwnPropertyNames(Object.prototype).length;

function expectClean(): void {
  expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(names);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
}

const codecs = () => [new Codec(langGraphTypes, snapshots), new Codec(plainTypes, plainSnapshots)];
const { timeout, ...forAWhile } = fuzzing<unknown>();

it("elements of bytes hold a value that can be stored again, or are refused", () => {
  let [read, refused] = [0, 0];
  fc.assert(
    fc.property(fc.oneof(tree, graph), mutations, fc.nat(15), fc.array(fc.nat(1000), { maxLength: 3 }), (value, changes, shape, cuts) => {
      const encoded = new Codec(langGraphTypes, snapshots).encode(value, "value");
      const bytes = mutated(encoded.bytes, changes);
      const ends = changes.length === 0 ? [...encoded.ends] : [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
      const differences: unknown[] = [];
      for (const codec of codecs()) {
        const found = orRefused(() => ({ value: codec.assemble(changes.length === 0 ? encoded.shape : shape, codec.decode({ bytes, ends }, 0, ends.length, encoded.shape)) }));
        if (found === undefined) refused += 1;
        else {
          read += 1;
          const again = orRefused(() => codec.encode(found.value, "value"));
          const back = again && codec.assemble(again.shape, codec.decode({ bytes: again.bytes, ends: again.ends }, 0, again.ends.length, again.shape));
          if (again !== undefined) differences.push(difference(back, found.value));
        }
      }
      expect(differences.filter((each) => each !== undefined)).toStrictEqual([]);
      expectClean();
    }),
    forAWhile,
  );
  expect([read > 0, refused > 0]).toStrictEqual([true, true]);
}, timeout);

it("a version of -0, which is written as 0, is refused", () => {
  const version = [0xcb, 0x80, 0, 0, 0, 0, 0, 0, 0];
  const withVersion = Uint8Array.of(0x93, 0xc0, 0xc4, 2, 1, 2, 0x93, 0xa1, 0x61, ...version, 0);
  const { rewrite } = kinds["checkpoints before they are squeezed"]!;
  expect(orRefused(() => rewrite(withVersion))).toBeUndefined();
  withVersion[10] = 0x40; // 2
  expect(orRefused(() => rewrite(withVersion))).toBeDefined();
});

it("bodies of rows are read as rows that could be written, or are refused", () => {
  const outcomes = new Map<string, Set<boolean>>();
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(kinds)), mutations, (kind, changes) => {
      const { body: original, rewrite } = kinds[kind]!;
      const found = orRefused(() => rewrite(mutated(original, changes)));
      outcomes.set(kind, (outcomes.get(kind) ?? new Set()).add(found !== undefined));
      expect(found?.[1]).toStrictEqual(found?.[0]);
      expectClean();
    }),
    forAWhile,
  );
  for (const kind of Object.keys(kinds)) expect([...outcomes.get(kind)!], kind).toContain(true);
  for (const kind of Object.keys(kinds)) expect([...outcomes.get(kind)!], kind).toContain(false);
}, timeout);
