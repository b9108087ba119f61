import { HumanMessage } from "@langchain/core/messages";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Codec } from "../../src/codec/index.ts";
import { langGraphTypes, snapshots } from "../../src/saver/langgraph-types.ts";
import { graph, tree } from "../support/arbitrary-values.ts";
import { difference } from "../support/difference.ts";
import { runs } from "../support/runs.ts";

const codec = new Codec(langGraphTypes, snapshots);

/** Takes a value through its bytes, cut into elements as the engine keeps them. */
function elementsOf(value: unknown): { shape: number; elements: Uint8Array[] } {
  const { shape, bytes, ends } = codec.encode(value, "value");
  return { shape, elements: Array.from(ends, (end, index) => bytes.slice(index === 0 ? 0 : ends[index - 1], end)) };
}

function decoded(shape: number, elements: Uint8Array[]): unknown {
  return codec.assemble(shape, elements.flatMap((bytes) => codec.decode({ bytes: bytes as Uint8Array<ArrayBuffer>, ends: [bytes.length] }, 0, 1, shape)));
}

function throughBytes(value: unknown): unknown {
  const { shape, elements } = elementsOf(value);
  return decoded(shape, elements);
}

it("any value comes back as it was", () => {
  fc.assert(
    fc.property(fc.oneof(tree, graph), (value) => {
      expect(difference(throughBytes({ value }), { value })).toBeUndefined();
    }),
    runs(1_500),
  );
});

it("values that are stored in elements come back as they were: lists, large maps, large records, and snapshots of these", () => {
  const wide = fc.oneof(
    fc.array(tree, { maxLength: 40 }),
    fc.array(fc.tuple(fc.string(), tree), { minLength: 10, maxLength: 40 }).map((entries) => new Map<unknown, unknown>(entries)),
    fc.array(fc.tuple(fc.string(), tree), { minLength: 10, maxLength: 40 }).map((entries) => Object.fromEntries(entries)),
  );
  fc.assert(
    fc.property(fc.oneof(wide, wide.map((value) => new DeltaSnapshot(value))), (value) => {
      expect(difference(throughBytes(value), value)).toBeUndefined();
    }),
    runs(300),
  );
});

it("equal values have equal bytes, however often they were stored and read, so they are stored once", () => {
  fc.assert(
    fc.property(tree, fc.string(), (value, text) => {
      const message = new HumanMessage({ id: "m", content: text });
      const passed = [value, message, { value, message }];
      const once = elementsOf(passed);
      expect(elementsOf(decoded(once.shape, once.elements))).toStrictEqual(once);
      expect(elementsOf([passed[0], passed[1]]).elements).toStrictEqual(once.elements.slice(0, 2));
    }),
    runs(300),
  );
});

/** Changes something somewhere inside a value, in place. */
function change(value: unknown, path: readonly number[], to: unknown): void {
  let holder: unknown = value;
  for (const [index, step] of path.entries()) {
    if (typeof holder !== "object" || holder === null || ArrayBuffer.isView(holder)) return;
    const keys = Object.keys(holder);
    const key = keys[step % Math.max(1, keys.length)] ?? "added";
    const inner: unknown = Reflect.get(holder, key);
    if (index === path.length - 1 || typeof inner !== "object" || inner === null) {
      Reflect.set(holder, key, to);
      return;
    }
    holder = inner;
  }
}

it("items that were encoded or decoded before are encoded as they are now, changed in place or not", () => {
  const item = fc.oneof(tree, fc.record({ text: fc.string(), extra: tree }).map(({ text, extra }) => new HumanMessage({ id: "m", content: text, additional_kwargs: { extra } })));
  const changes = fc.array(fc.tuple(fc.array(fc.nat(8), { minLength: 1, maxLength: 4 }), fc.oneof(tree, fc.constant("itself"))), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 4 }), changes, fc.boolean(), (given, edits, wasRead) => {
      const known = new Codec(langGraphTypes, snapshots);
      const first = known.encode(given, "value");
      const list = wasRead ? (known.assemble(first.shape, known.decode(first, 0, first.ends.length, first.shape)) as unknown[]) : given;
      for (const [path, to] of edits) change(list[(path[0] ?? 0) % list.length], path, to === "itself" ? list[0] : to);
      const asIs = (codec: Codec) => {
        try {
          return codec.encode(list, "value");
        } catch (error) {
          return String(error);
        }
      };
      expect(asIs(known)).toStrictEqual(asIs(new Codec(langGraphTypes, snapshots)));
      expect(asIs(known)).toStrictEqual(asIs(new Codec(langGraphTypes, snapshots)));
    }),
    runs(1_000),
  );
});

it("bytes that were tampered with run nothing and pollute nothing, whatever comes of them", () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  const ran: unknown[] = [];
  Object.defineProperty(globalThis, "tampered", { value: (...args: unknown[]) => ran.push(args), configurable: true });
  const refusals: unknown[] = [];
  let readable = 0;
  fc.assert(
    fc.property(tree, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }), (value, changes) => {
      const { shape, elements } = elementsOf({ value, __proto__: null, lc: 1, code: "tampered()" });
      for (const element of elements) for (const [at, byte] of changes) element[at % element.length] = byte;
      try {
        decoded(shape, elements);
        readable += 1;
      } catch (error) {
        refusals.push(error);
      }
    }),
    runs(1_000),
  );
  expect(readable).toBeGreaterThan(0);
  expect(refusals.length).toBeGreaterThan(0);
  expect(refusals.filter((error) => !(error instanceof Error))).toStrictEqual([]);
  expect(ran).toStrictEqual([]);
  expect(Object.getOwnPropertyNames(Object.prototype)).toStrictEqual(before);
  Reflect.deleteProperty(globalThis, "tampered");
});
