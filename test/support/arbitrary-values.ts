import fc from "fast-check";

const key = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "__proto__", "constructor", "toString", "length", "then", "lc", "type", "0", "-1", "a.b", "\ud800", `\uFEFF${"long ".repeat(20)}`),
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
export const tree = fc.anything({
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
export const graph = fc
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
