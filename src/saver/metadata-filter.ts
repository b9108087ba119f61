/** Whether metadata holds each of the entries: as own keys, with values that are the same all the way down. */
export function matches(metadata: object | undefined, entries: readonly (readonly [string, unknown])[]): boolean {
  return entries.every(([key, value]) => {
    const own = metadata !== undefined && Object.hasOwn(metadata, key) ? (metadata as Record<string, unknown>)[key] : undefined;
    return same(own, value);
  });
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}
