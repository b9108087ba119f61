import fc from "fast-check";
import { changed, type Description, description, itemOf } from "./items.ts";

export type Collection = unknown[] | Map<string, unknown> | Record<string, unknown>;

/** One change of a list, or of the entries of a map or a record. Positions are taken modulo the length. */
export type Edit =
  | { readonly kind: "append" | "replace all"; readonly items: readonly Description[]; readonly times: number }
  | { readonly kind: "insert"; readonly at: number; readonly items: readonly Description[] }
  | { readonly kind: "change in place"; readonly at: number; readonly count: number }
  | { readonly kind: "remove"; readonly at: number; readonly count: number }
  | { readonly kind: "make a hole"; readonly at: number }
  | { readonly kind: "move"; readonly from: number; readonly to: number }
  | { readonly kind: "reverse" }
  | { readonly kind: "keep the last"; readonly count: number };

const at = fc.nat(10_000);
const few = fc.array(description, { minLength: 1, maxLength: 3 });
const many = { items: few, times: fc.integer({ min: 1, max: 25 }) };

export const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("append" as const), ...many }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("replace all" as const), ...many }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("insert" as const), at, items: few }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("change in place" as const), at, count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), at, count: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("make a hole" as const), at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("move" as const), from: at, to: at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reverse" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("keep the last" as const), count: fc.nat(100) }) },
);

/** Edits a collection where it is, as an application does that holds on to it from step to step. */
export function apply(change: Edit, collection: Collection): void {
  if (Array.isArray(collection)) {
    editSlots(change, collection, itemOf, changed);
    return;
  }
  const entries: [string, unknown][] = collection instanceof Map ? [...collection] : Object.entries(collection);
  editSlots(change, entries, entryOf, ([key, item]): [string, unknown] => [key, changed(item)]);
  const left = entries.flatMap((entry) => (entry === undefined ? [] : [entry])); // A hole among entries is one entry less.
  if (collection instanceof Map) {
    collection.clear();
    for (const [key, item] of left) collection.set(key, item);
  } else {
    for (const key of Object.keys(collection)) Reflect.deleteProperty(collection, key);
    Object.assign(collection, Object.fromEntries(left));
  }
}

/** What an edit adds at the end of a list: what a task would write to its channel. */
export function additions(change: Edit): unknown[] {
  return change.kind === "append" ? repeated(change).map(itemOf) : [];
}

function entryOf(each: Description): [string, unknown] {
  return [`key ${each.kind} ${each.seed}`, itemOf(each)];
}

function editSlots<T>(change: Edit, slots: T[], make: (each: Description) => T, alter: (slot: T) => T): void {
  const place = (position: number): number => position % Math.max(1, slots.length);
  switch (change.kind) {
    case "append":
      slots.push(...repeated(change).map(make));
      break;
    case "replace all":
      slots.splice(0, slots.length, ...repeated(change).map(make));
      break;
    case "insert":
      slots.splice(change.at % (slots.length + 1), 0, ...change.items.map(make));
      break;
    case "change in place":
      for (let index = place(change.at); index < Math.min(slots.length, place(change.at) + change.count); index += 1) {
        const slot = slots[index];
        if (slot !== undefined) slots[index] = alter(slot);
      }
      break;
    case "remove":
      slots.splice(place(change.at), change.count);
      break;
    case "make a hole":
      if (slots.length > 0) Reflect.deleteProperty(slots, place(change.at));
      break;
    case "move":
      slots.splice(place(change.to), 0, ...slots.splice(place(change.from), 1));
      break;
    case "reverse":
      slots.reverse();
      break;
    case "keep the last":
      slots.splice(0, slots.length - change.count);
      break;
  }
}

/** Small items come many times over, each a little different; large ones once. */
function repeated({ items, times }: { readonly items: readonly Description[]; readonly times: number }): Description[] {
  const small = items.filter(({ size }) => size <= 4_000);
  const copies = Array.from({ length: times }, (_, n) => small.map((each) => ({ ...each, seed: each.seed + n })));
  return [...copies.flat(), ...items.filter(({ size }) => size > 4_000)];
}
