import { openDB } from "idb";

/** What one object store holds. Index entries (index key and primary key) are counted apart: they are derived from the rows. */
export interface StoreSize {
  readonly store: string;
  readonly rows: number;
  readonly keyBytes: number;
  readonly valueBytes: number;
  readonly indexEntries: number;
  readonly indexBytes: number;
}

const page = 50;

/** Reads every row of every store of a database and adds up keys and values. Knows nothing of the schema. */
export async function storeSizes(name: string): Promise<StoreSize[]> {
  const database = await openDB(name);
  const sizes: StoreSize[] = [];
  for (const store of database.objectStoreNames) {
    let [rows, keyBytes, valueBytes, indexEntries, indexBytes] = [0, 0, 0, 0, 0];
    let range: IDBKeyRange | undefined;
    for (;;) {
      const reading = database.transaction(store).store;
      const [keys, values] = await Promise.all([reading.getAllKeys(range, page), reading.getAll(range, page)]);
      rows += keys.length;
      keyBytes += keys.reduce<number>((sum, key) => sum + encodedBytes(key), 0);
      valueBytes += values.reduce<number>((sum, value) => sum + encodedBytes(value), 0);
      const last = keys.at(-1);
      if (last === undefined || keys.length < page) break;
      range = IDBKeyRange.lowerBound(last, true);
    }
    const reading = database.transaction(store).store;
    for (const index of reading.indexNames) {
      let cursor = await reading.index(index).openKeyCursor();
      while (cursor !== null) {
        indexEntries += 1;
        indexBytes += encodedBytes(cursor.key) + encodedBytes(cursor.primaryKey);
        cursor = await cursor.continue();
      }
    }
    sizes.push({ store, rows, keyBytes, valueBytes, indexEntries, indexBytes });
  }
  database.close();
  return sizes;
}

/**
 * The size of a key or value in a plain binary encoding, the same for every saver and engine: a byte of tag, 8 bytes a number,
 * UTF-8 for strings, bytes as they are, 2 bytes of length where there is one, and the property names.
 */
export function encodedBytes(value: unknown): number {
  if (value === null || value === undefined || typeof value === "boolean") return 1;
  if (typeof value === "number" || typeof value === "bigint" || value instanceof Date) return 9;
  if (typeof value === "string") return 3 + utf8Bytes(value);
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return 3 + value.byteLength;
  if (value instanceof Blob) return 3 + value.size;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + encodedBytes(item), 3);
  if (value instanceof Map || value instanceof Set) return encodedBytes([...value]);
  if (typeof value !== "object") throw new TypeError(`a stored ${typeof value} has no size`);
  return Object.entries(value).reduce((sum, [key, item]) => sum + 2 + utf8Bytes(key) + encodedBytes(item), 3);
}

const encoder = new TextEncoder();
const utf8Bytes = (text: string): number => encoder.encode(text).byteLength;
