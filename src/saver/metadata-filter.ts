import { equal } from "../channels/index.ts";

/** Whether metadata has the value of each entry, the same all the way down. A key that it lacks has the value `undefined`. */
export function matches(metadata: object | undefined, entries: readonly (readonly [string, unknown])[]): boolean {
  return entries.every(([key, value]) => {
    const own = metadata !== undefined && Object.hasOwn(metadata, key) ? (metadata as Record<string, unknown>)[key] : undefined;
    return equal(own, value);
  });
}
