import { HumanMessage } from "@langchain/core/messages";
import fc from "fast-check";

/** What an item of a list or an entry of a map is made from: equal descriptions make items of equal bytes. */
export interface Description {
  readonly kind: "message" | "object" | "text" | "bytes" | "nothing";
  readonly size: number;
  readonly seed: number;
}

/** From nothing to 200 kB; mostly small, often enough of a size that some fill a row, and few enough seeds that items repeat. */
export const description: fc.Arbitrary<Description> = fc.record({
  kind: fc.constantFrom("message", "object", "object", "object", "text", "bytes", "nothing"),
  size: fc.oneof(
    { weight: 16, arbitrary: fc.nat(120) },
    { weight: 8, arbitrary: fc.integer({ min: 400, max: 4_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 20_000, max: 70_000 }) },
    { weight: 1, arbitrary: fc.constant(200_000) },
  ),
  seed: fc.nat(40),
});

export function itemOf({ kind, size, seed }: Description): unknown {
  switch (kind) {
    case "message":
      return new HumanMessage({ id: `message ${seed}`, content: text(size, seed), additional_kwargs: { deep: { changes: [0] } } });
    case "object":
      return { id: seed, text: text(size, seed), deep: { changes: [0] } };
    case "text":
      return text(size, seed);
    case "bytes":
      return new Uint8Array(size).fill(seed);
    case "nothing":
      return [undefined, null, "", 0, -0, false][seed % 6];
  }
}

/** The same item, changed where it is if it can be, and deep inside: whoever holds the object holds the change. */
export function changed(item: unknown): unknown {
  if (item instanceof Uint8Array) {
    item[0] = (item[0] ?? 0) ^ 255;
    return item;
  }
  if (typeof item !== "object" || item === null) return `${String(item).slice(0, 1_000)}!`;
  const { deep } = (HumanMessage.isInstance(item) ? item.additional_kwargs : item) as { deep: { changes: number[] } };
  deep.changes.push(deep.changes.length);
  return item;
}

function text(size: number, seed: number): string {
  return `${seed} says `.padEnd(size, `some words of ${seed}, `).slice(0, size);
}
