/** Changes everything that can be reached from a value, in place. */
export function wreck(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  if (ArrayBuffer.isView(value)) new Uint8Array(value.buffer, value.byteOffset, value.byteLength).fill(255);
  else if (value instanceof ArrayBuffer) new Uint8Array(value).fill(255);
  else if (value instanceof Date) value.setTime(0);
  else if (value instanceof RegExp) value.lastIndex = 7;
  else if (value instanceof Map || value instanceof Set) {
    for (const part of [...value].flat()) wreck(part, seen);
    value.clear();
  } else {
    for (const key of Object.keys(value)) {
      const descriptor = Object.getOwnPropertyDescriptor(value, key);
      wreck(descriptor?.value, seen);
      Object.defineProperty(value, key, { ...descriptor, value: "wrecked" });
    }
    if (Array.isArray(value)) value.push("wrecked");
  }
}
