import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Packed, packr, read } from "../../src/msgpack/index.ts";
import { runs } from "../support/runs.ts";

const atom = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ minLength: 30, maxLength: 300 }),
  fc.string({ maxLength: 100 }).map((text) => `\uFEFF${text}`),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double().filter((number) => !Object.is(number, -0)),
  fc.constantFrom(null, true, false, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000, -0x20, -0x21, -0x80, -0x81, -0x8000, -0x8001, NaN, Infinity),
);
const key = fc.oneof(fc.string().filter((text) => text !== "__proto__"), fc.string({ maxLength: 100 }).map((text) => `\uFEFF${text}`));
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof({ maxDepth: 3 }, atom, fc.array(tie("tree"), { maxLength: 20 }), fc.dictionary(key, tie("tree"), { maxKeys: 20, noNullPrototype: true })),
}));

const isPlain = (): boolean => true;
const isPacked = (value: unknown, bytes: Uint8Array, from = 0): boolean => new Packed(bytes, from).isOf(value, isPlain);
const pack = (value: unknown): Uint8Array => Uint8Array.from(packr.pack(value));

describe("Bytes are those of a value", () => {
  it("that was packed, and of a copy of it, wherever they begin", () => {
    fc.assert(
      fc.property(tree, (value) => {
        const bytes = pack(value);
        expect(isPacked(value, bytes)).toBe(true);
        expect(isPacked(structuredClone(value), Uint8Array.of(1, 2, 3, ...bytes).subarray(1), 2)).toBe(true);
      }),
      runs(2_000),
    );
  });

  it("and are read as it", () => {
    fc.assert(
      fc.property(tree, (value) => {
        for (const found of [packr.unpack(pack(value)), read(Uint8Array.of(7, ...pack(value)), 1)]) expect(found).toStrictEqual(value);
      }),
      runs(2_000),
    );
  });

  it("and of no other", () => {
    fc.assert(
      fc.property(tree, tree, (one, other) => {
        expect(isPacked(one, pack(other))).toBe(String(pack(one)) === String(pack(other)));
      }),
      runs(2_000),
    );
  });

  it("whatever they were compared with before", () => {
    fc.assert(
      fc.property(tree, fc.array(tree, { maxLength: 4 }), (one, others) => {
        const packed = new Packed(pack(one), 0);
        for (const value of [...others, [one, ...others], structuredClone(one), ...others, one, [one]]) {
          expect(packed.isOf(value, isPlain)).toBe(isPacked(value, pack(one)));
        }
      }),
      runs(2_000),
    );
  });

  it("whatever was like their beginning", () => {
    const [long, other] = ["a text of some length", "another of some length"];
    const packed = new Packed(pack([long, long, "\u00fc".repeat(20)]), 0);
    const values = [[long, other, ""], [long, long], [other, long, long], [long, long, "\u00fc".repeat(20)], [long, long, "u".repeat(40)]];
    expect([...values, ...values].map((value) => packed.isOf(value, isPlain))).toStrictEqual([false, false, false, true, false, false, false, false, true, false]);
  });

  it("and of none that one byte more, less or else makes of it", () => {
    fc.assert(
      fc.property(tree, fc.nat(), fc.integer({ min: 1, max: 255 }), (value, at, change) => {
        const bytes = pack(value);
        const changed = bytes.map((byte, index) => (index === at % bytes.length ? byte ^ change : byte));
        for (const others of [changed, bytes.subarray(0, -1), Uint8Array.of(...bytes, change)]) {
          expect(isPacked(value, others) ? packr.unpack(others) : value).toStrictEqual(value);
        }
      }),
      runs(4_000),
    );
  });

  it("and of no array or object that is refused", () => {
    const value = [{ a: [] }];
    expect(new Packed(pack(value), 0).isOf(value, (node) => node !== value[0]!.a)).toBe(false);
  });

  it("and of nothing that bytes cannot be read as", () => {
    for (const bytes of [[], [0xc1], [0xc4, 0], [0xca, 0, 0, 0], [0xcf, 0, 0, 0, 0, 0, 0, 0, 0], [0xd4, 0, 0], [0xd9], [0x91], [0x81, 0xa1]]) {
      for (const value of [undefined, null, 0, "", [], {}, [undefined], { "": undefined }]) expect(isPacked(value, Uint8Array.from(bytes))).toBe(false);
    }
  });
});
