/** Whether two values are the same all the way down. */
export function equal(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const [ours, theirs] = [partsOf(a), partsOf(b)];
  return ours.size === theirs.size && [...ours].every(([key, part]) => theirs.has(key) && equal(part, theirs.get(key)));
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
