import { sealedIn } from "./identity.ts";
import type { Reading, RowStore, Schema } from "./schema.ts";

export interface Row<S extends RowStore> {
  readonly key: Schema[S]["key"];
  readonly value: Schema[S]["value"];
}

/** What a page may hold, about: the rows of a page are in memory together. */
const PAGE_BYTES = 16 * 1024 * 1024;

/** How many rows to ask for after these, `most` at most: a row can be of one byte or of millions. */
export function nextSize(values: readonly unknown[], most: number): number {
  const largest = values.reduce<number>((size, value) => Math.max(size, sizeOf(value)), 1);
  return Math.min(most, Math.max(1, Math.floor(PAGE_BYTES / largest)));
}

function sizeOf(value: unknown): number {
  const sealed = sealedIn(value);
  return sealed instanceof Uint8Array ? sealed.length : 0;
}

/**
 * The rows of a range in the order of their keys, `most` of them at a time, or fewer if they are large; of the first page that is not known.
 * Nothing but requests may be awaited between two pages.
 */
export async function* pages<S extends RowStore>(tx: Reading, store: S, range: IDBKeyRange, most: number, first = most): AsyncGenerator<Row<S>[]> {
  const source = tx.objectStore(store);
  let rest = range;
  for (let size = first; ; ) {
    const [keys, values] = await Promise.all([source.getAllKeys(rest, size), source.getAll(rest, size)]);
    if (keys.length > 0) yield keys.map((key, index) => ({ key, value: values[index] as Schema[S]["value"] }));
    const last = keys[size - 1];
    if (last === undefined) return;
    rest = range.upper === undefined ? IDBKeyRange.lowerBound(last, true) : IDBKeyRange.bound(last, range.upper, true, range.upperOpen);
    size = nextSize(values, most);
  }
}
