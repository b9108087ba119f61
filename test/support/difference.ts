/**
 * Where two values first differ, as a path and a reason, or undefined if they are the same: of the same prototypes, with
 * the same keys in the same order, the same holes, bytes and references (cycles included). Stricter than any matcher, it tells 0 from -0 and
 * takes a key called `constructor` for the data that it is.
 */
export function difference(actual: unknown, expected: unknown, path = "value", pairs = new Map<object, object>()): string | undefined {
  if (Object.is(actual, expected)) return undefined;
  if (typeof actual !== "object" || typeof expected !== "object" || actual === null || expected === null) {
    return `${path}: ${show(actual)} is not ${show(expected)}`;
  }
  const paired = pairs.get(expected);
  if (paired !== undefined) return paired === actual ? undefined : `${path}: another object than the first time`;
  pairs.set(expected, actual);

  if (Object.getPrototypeOf(actual) !== Object.getPrototypeOf(expected)) return `${path}: another class`;
  if (ArrayBuffer.isView(expected) || expected instanceof ArrayBuffer) return sameText(bytes(actual), bytes(expected), `${path} (bytes)`);
  if (expected instanceof Date) return difference(Number(actual), Number(expected), `${path} (time)`);
  if (expected instanceof RegExp) return sameText(String(actual), String(expected), path);
  if (expected instanceof Map || expected instanceof Set) {
    return difference([...(actual as Map<unknown, unknown>)], [...expected], `${path} (entries)`, pairs);
  }
  const hidden = expected instanceof Error ? ["name", "message", "cause", "errors"] : Array.isArray(expected) ? ["length"] : [];
  const keys = Object.keys(expected);
  return (
    sameText(JSON.stringify(Object.keys(actual)), JSON.stringify(keys), `${path} (keys)`) ??
    first([...keys, ...hidden], (key) => difference(Reflect.get(actual, key), Reflect.get(expected, key), `${path}[${JSON.stringify(key)}]`, pairs))
  );
}

function first(keys: readonly string[], found: (key: string) => string | undefined): string | undefined {
  for (const key of keys) {
    const reason = found(key);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function sameText(actual: string, expected: string, path: string): string | undefined {
  return actual === expected ? undefined : `${path}: ${show(actual)} is not ${show(expected)}`;
}

function bytes(value: object): string {
  if (value instanceof ArrayBuffer) return new TextDecoder("latin1").decode(value);
  if (!ArrayBuffer.isView(value)) return "not bytes";
  return new TextDecoder("latin1").decode(new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength));
}

function show(value: unknown): string {
  return Object.is(value, -0) ? "-0" : typeof value === "bigint" ? `${value}n` : (JSON.stringify(value) ?? String(value)).slice(0, 120);
}
