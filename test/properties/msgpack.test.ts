import fc from "fast-check";
import { Packr } from "msgpackr";
import { describe, expect, it } from "vitest";
import { Packer, unpack } from "../../src/msgpack/index.ts";
import { CheckpointError } from "../../src/index.ts";
import { runs } from "../support/runs.ts";

const packr = new Packr({ useRecords: false, variableMapSize: true, useToJSON: false, copyBuffers: true, structuredClone: false });
const packer = new Packer();

const edge = fc.constantFrom(0, 1, -1, 31, 32, 127, 128, -32, -33, -128, -129, 255, 256, 65535, 65536, -32768, -32769, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 32 - 1, 2 ** 32, -(2 ** 31) - 1, 0.5, NaN, Infinity);
const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme-ascii", maxLength: 300 }), fc.string({ unit: "grapheme", minLength: 20, maxLength: 300 }), fc.nat(700).map((length) => "x".repeat(length)));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    edge,
    fc.double({ noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
    fc.integer(),
    text,
    fc.uint8Array({ maxLength: 300 }),
    fc.array(tie("tree"), { maxLength: 20 }),
    fc.dictionary(fc.string({ unit: "grapheme", maxLength: 40 }).filter((key) => key !== "__proto__"), tie("tree"), { maxKeys: 20 }),
  ),
}));

describe("MessagePack", () => {
  it("has the bytes that msgpackr has", () => {
    fc.assert(
      fc.property(tree, (value) => {
        expect(sameBytes(packer.pack(value), packr.pack(value))).toBe(true);
      }),
      runs(1000),
    );
  });

  it("reads what it wrote, and what msgpackr wrote", () => {
    fc.assert(
      fc.property(tree, (value) => {
        expect(unpack(packer.pack(value))).toStrictEqual(plain(value));
        expect(unpack(packr.pack(value))).toStrictEqual(plain(value));
      }),
      runs(500),
    );
  });

  it("writes lengths of every width", () => {
    for (const length of [15, 16, 65_535, 65_536]) {
      const array = Array.from({ length }, (_, index) => index);
      const map = Object.fromEntries(array.map((index) => [`k${index}`, index]));
      for (const value of [array, map, new Uint8Array(length), "é".repeat(length)]) {
        const bytes = packer.pack(value);
        expect(sameBytes(bytes, packr.pack(value))).toBe(true);
        expect(JSON.stringify(unpack(bytes))).toBe(JSON.stringify(value));
      }
    }
  });

  it("goes on after a tree of several megabytes", () => {
    const large = "x".repeat(3_000_000);
    expect(unpack(packer.pack([large]))).toStrictEqual([large]);
    expect(unpack(packer.pack({ a: [1] }))).toStrictEqual({ a: [1] });
  });

  it("of any other bytes is a value or a typed error, and no prototype is touched", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.tuple(tree, fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
        const changed = packer.pack(value).slice();
        if (changed.length > 0) changed[at % changed.length] = byte;
        return changed;
      }),
      fc.constantFrom(new Uint8Array(1_000_000).fill(0x91), Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff), Uint8Array.of(0xdf, 0xff, 0xff, 0xff, 0xff), Uint8Array.of(0x81, 0xa9, ...new TextEncoder().encode("__proto__"), 0x81, 0xa1, 0x78, 1)),
    );
    fc.assert(
      fc.property(bytes, (tampered) => {
        try {
          unpack(tampered);
        } catch (error) {
          if (!CheckpointError.is(error) || error.code !== "damaged") throw error;
        }
        expect(Object.keys(Object.prototype)).toStrictEqual([]);
        expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
      }),
      runs(2000),
    );
  });
});

/** fast-check's dictionaries have no prototype; what is read has the usual one. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Uint8Array || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
