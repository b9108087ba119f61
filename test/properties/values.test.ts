import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, put, roundTrip, tupleAt } from "../support/checkpoints.ts";
import { implementations, withSaver } from "../support/contract.ts";
import { difference } from "../support/difference.ts";
import { runs } from "../support/runs.ts";
import { wreck } from "../support/wreck.ts";

const key = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "__proto__", "constructor", "toString", "length", "then", "lc", "type", "0", "-1", "a.b", "\ud800"),
  fc.string({ unit: fc.integer({ min: 0xd7f0, max: 0xe010 }).map((unit) => String.fromCharCode(unit)), maxLength: 3 }),
);

const scalar = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.float(),
  fc.bigInt(),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  key,
  fc.constantFrom<unknown>(undefined, null, true, false, NaN, Infinity, -Infinity, 0, -0, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 0.1),
  fc.date({ noInvalidDate: false }),
  fc.tuple(fc.constantFrom("a", "[^/\\n]+", "\\/", "(?<name>x)"), fc.constantFrom("", "g", "giu")).map(([source, flags]) => new RegExp(source, flags)),
  fc.tuple(fc.constantFrom(Error, TypeError, RangeError), fc.string(), fc.option(fc.string(), { nil: undefined })).map(([Class, message, cause]) => new Class(message, cause === undefined ? undefined : { cause })),
);

/** Any tree of everything that can be stored. */
const tree = fc.anything({
  key,
  values: [scalar],
  maxDepth: 4,
  maxKeys: 6,
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withNullPrototype: true,
  withSparseArray: true,
});

type Kind = "object" | "array" | "map" | "set";

/** Any graph of a few containers: with shared places, and with cycles. */
const graph = fc
  .array(fc.tuple(fc.constantFrom<Kind>("object", "array", "map", "set"), fc.array(fc.tuple(fc.oneof(fc.nat(5).map((node) => ({ node })), scalar), key), { maxLength: 5 })), { minLength: 1, maxLength: 6 })
  .map((nodes) => {
    const made = nodes.map(([kind]) => (kind === "object" ? {} : kind === "array" ? [] : kind === "map" ? new Map() : new Set()));
    for (const [index, [, edges]] of nodes.entries()) {
      for (const [target, name] of edges) {
        const value: unknown = typeof target === "object" && target !== null && "node" in target ? made[(target as { node: number }).node % made.length] : target;
        const container = made[index];
        if (container instanceof Map) container.set(name, value);
        else if (container instanceof Set) container.add(value);
        else if (Array.isArray(container)) container.push(value);
        else Object.defineProperty(container, name, { value, enumerable: true, writable: true, configurable: true });
      }
    }
    return made[0];
  });

/* The elements of a channel's own list are stored one by one: one object in two of them comes back as two. Inside an element all is kept. */
describe.each(implementations)("Any value (%s)", (implementation) => {
  it("comes back as it was, from a channel and from a write", async () => {
    await withSaver(implementation, async (saver) => {
      await fc.assert(
        fc.asyncProperty(fc.oneof(tree, graph), async (value) => {
          const back = await roundTrip(saver, { value });
          expect(difference(back.channel, { value })).toBeUndefined();
          expect(difference(back.write, { value })).toBeUndefined();
        }),
        runs(400),
      );
    });
  }, 120_000);

  it("comes back as it was, as a list that changes from step to step", async () => {
    await withSaver(implementation, async (saver) => {
      await fc.assert(
        fc.asyncProperty(fc.array(tree, { minLength: 1, maxLength: 6 }), fc.array(fc.array(fc.nat(5), { maxLength: 8 }), { minLength: 1, maxLength: 5 }), async (elements, steps) => {
          let head = at(`thread ${crypto.randomUUID()}`);
          const lists = steps.map((indices) => indices.map((index) => elements[index % elements.length]));
          const stored: (typeof head)[] = [];
          for (const [n, list] of lists.entries()) stored.push((head = await put(saver, head, n, { values: { list } })));
          for (const [n, config] of stored.entries()) {
            const back = (await tupleAt(saver, config)).checkpoint.channel_values["list"] as unknown[];
            expect(back).toHaveLength(lists[n]?.length ?? -1);
            for (const [index, element] of back.entries()) expect(difference(element, lists[n]?.[index])).toBeUndefined();
          }
        }),
        runs(100),
      );
    });
  }, 120_000);

  it("is stored as it was at the call, whatever becomes of it afterwards", async () => {
    await withSaver(implementation, async (saver) => {
      await fc.assert(
        fc.asyncProperty(fc.oneof(tree, graph).filter(hasPrototypes), async (value) => {
          const passed = { list: [{ value }], one: { value }, writes: [["a", { value }]] as [string, unknown][], metadata: { value } };
          const before: unknown = structuredClone(value);
          const thread = at(`thread ${crypto.randomUUID()}`);
          const stored = put(saver, thread, 1, { values: { list: passed.list, one: passed.one }, metadata: passed.metadata });
          const written = saver.putWrites(at(thread.configurable?.["thread_id"] as string, "", 1), passed.writes, "task");
          wreck(passed);
          await Promise.all([stored, written]);

          const { checkpoint, metadata, pendingWrites } = await tupleAt(saver, thread);
          const { list, one } = checkpoint.channel_values as { list: unknown[]; one: unknown };
          for (const back of [list[0], one, pendingWrites?.[0]?.[2], { value: Reflect.get(metadata ?? {}, "value") as unknown }]) {
            expect(difference(back, { value: before })).toBeUndefined();
          }
        }),
        runs(100),
      );
    });
  }, 120_000);
});

/** Structured clone, which makes the copies here, gives every object a prototype, and takes the name of an Error's class for it. */
function hasPrototypes(value: unknown): boolean {
  return difference(structuredClone(value), value) === undefined;
}
