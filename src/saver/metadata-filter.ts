/** Whether metadata has the value of each entry, the same all the way down. A key that it lacks has the value `undefined`. */
export function matches(metadata: object | undefined, entries: readonly (readonly [string, unknown])[]): boolean {
  return entries.every(([key, value]) => {
    const own = metadata !== undefined && Object.hasOwn(metadata, key) ? (metadata as Record<string, unknown>)[key] : undefined;
    return same(own, value);
  });
}

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const [ours, theirs] = [partsOf(a), partsOf(b)];
  return ours.size === theirs.size && [...ours].every(([key, part]) => theirs.has(key) && same(part, theirs.get(key)));
}

/** What an object is made of, by key. */
function partsOf(value: object): Map<unknown, unknown> {
  if (value instanceof Map) return value;
  if (value instanceof Set) return new Map([...value].map((item) => [item, item]));
  if (value instanceof Date) return new Map([["time", value.getTime()]]);
  if (value instanceof RegExp) return new Map([["source", String(value)]]);
  if (value instanceof ArrayBuffer) return new Map([...new Uint8Array(value)].entries());
  return new Map(Object.entries(value));
}
