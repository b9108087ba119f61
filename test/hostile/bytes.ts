import fc from "fast-check";

/** One change of some bytes, as an accident or an attacker may make it. */
type Mutation =
  | { readonly kind: "set"; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: "insert"; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: "delete"; readonly at: number; readonly count: number }
  | { readonly kind: "repeat"; readonly at: number; readonly count: number; readonly times: number };

/** First bytes that MessagePack gives a meaning, and numbers that lengths are made of. */
const telling = fc.constantFrom(0x00, 0x01, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x91, 0x9f, 0xa0, 0xa1, 0xbf, 0xc0, 0xc1, 0xc4, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcf, 0xd3, 0xd4, 0xd5, 0xd6, 0xd8, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0xe0, 0xff, 0x65, 0x69, 0x70, 0x72, 0x73, 0x78);
const some = fc.array(fc.oneof(telling, fc.nat(255)), { minLength: 1, maxLength: 6 }).map((bytes) => Uint8Array.from(bytes));
const at = fc.nat(100_000);

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), at, bytes: some }),
  fc.record({ kind: fc.constant("insert" as const), at, bytes: some }),
  fc.record({ kind: fc.constant("delete" as const), at, count: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constant("repeat" as const), at, count: fc.integer({ min: 1, max: 8 }), times: fc.integer({ min: 1, max: 300 }) }),
);

export const mutations = fc.array(mutation, { maxLength: 5 });

/** What is left of bytes after some changes. */
export function mutated(bytes: Uint8Array, changes: readonly Mutation[]): Uint8Array<ArrayBuffer> {
  let all = [...bytes];
  for (const change of changes) {
    const place = change.at % (all.length + 1);
    if (change.kind === "set") all.splice(place, change.bytes.length, ...change.bytes);
    else if (change.kind === "insert") all.splice(place, 0, ...change.bytes);
    else if (change.kind === "delete") all.splice(place, change.count);
    else {
      const part = all.slice(place, place + change.count);
      all = [...all.slice(0, place), ...Array.from({ length: change.times }, () => part).flat(), ...all.slice(place)];
    }
  }
  return Uint8Array.from(all);
}

/** For how long to look for bytes that break something: a moment, or as long as `npm run fuzz` says. */
export function fuzzing<T>(): fc.Parameters<T> & { readonly timeout: number } {
  const environment = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env;
  const milliseconds = 1000 * Number(environment?.["FUZZ_SECONDS"] ?? 4);
  return { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: milliseconds, markInterruptAsFailure: false, timeout: milliseconds * 2 + 60_000 };
}
