import type { Reading, RowStore, Schema } from "./schema.ts";

interface Row<S extends RowStore> {
  readonly key: Schema[S]["key"];
  readonly value: Schema[S]["value"];
}

/** The rows of a range in the order of their keys, `size` of them at a time. Nothing but requests may be awaited between two pages. */
export async function* pages<S extends RowStore>(tx: Reading, store: S, range: IDBKeyRange, size: number): AsyncGenerator<Row<S>[]> {
  const source = tx.objectStore(store);
  let rest = range;
  for (;;) {
    const [keys, values] = await Promise.all([source.getAllKeys(rest, size), source.getAll(rest, size)]);
    if (keys.length > 0) yield keys.map((key, index) => ({ key, value: values[index] as Schema[S]["value"] }));
    const last = keys[size - 1];
    if (last === undefined) return;
    rest = range.upper === undefined ? IDBKeyRange.lowerBound(last, true) : IDBKeyRange.bound(last, range.upper, true, range.upperOpen);
  }
}
