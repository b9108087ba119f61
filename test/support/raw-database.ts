/** What the tests see of a database without the package: its stores and rows, as any tool would find them. */

export interface Row {
  readonly store: string;
  readonly key: IDBValidKey;
  readonly value: unknown;
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the request failed without an error"));
  });
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("the transaction was aborted"));
  });
}

/** A connection of the test's own. Fails where there is no such database yet. */
export function connect(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name);
  request.onupgradeneeded = () => request.transaction?.abort();
  return settled(request);
}

async function withConnection<T>(name: string, use: (database: IDBDatabase) => Promise<T>): Promise<T> {
  const database = await connect(name);
  try {
    return await use(database);
  } finally {
    database.close();
  }
}

/** Makes a database that the package did not make. */
export async function createDatabase(name: string, version: number, stores: readonly string[]): Promise<void> {
  const request = indexedDB.open(name, version);
  request.onupgradeneeded = () => {
    for (const store of stores) request.result.createObjectStore(store);
  };
  (await settled(request)).close();
}

/** Fails when a connection that should be closed keeps the database alive. */
export async function deleteDatabase(name: string): Promise<void> {
  const deleted = settled(indexedDB.deleteDatabase(name));
  let alarm: ReturnType<typeof setTimeout> | undefined;
  const stillOpen = new Promise<never>((_, reject) => {
    alarm = setTimeout(() => reject(new Error(`a connection to ${JSON.stringify(name)} was left open`)), 5_000);
  });
  await Promise.race([deleted, stillOpen]).finally(() => clearTimeout(alarm));
}

export async function databaseVersion(name: string): Promise<number | undefined> {
  // WebKit lists one whose making was aborted, as version 0.
  return (await indexedDB.databases()).find((database) => database.name === name)?.version || undefined;
}

export function readRows(name: string): Promise<Row[]> {
  return withConnection(name, async (database) => {
    const stores = [...database.objectStoreNames];
    if (stores.length === 0) return [];
    const transaction = database.transaction(stores, "readonly");
    const perStore = await Promise.all(
      stores.map(async (store) => {
        const source = transaction.objectStore(store);
        const [keys, values] = await Promise.all([settled(source.getAllKeys()), settled(source.getAll())]);
        return keys.map((key, index): Row => ({ store, key, value: values[index] }));
      }),
    );
    return perStore.flat();
  });
}

/** Puts a row back, changed. */
export function writeRow(name: string, row: Row): Promise<void> {
  return withConnection(name, async (database) => {
    const transaction = database.transaction(row.store, "readwrite");
    const store = transaction.objectStore(row.store);
    if (store.keyPath === null) store.put(row.value, row.key);
    else store.put(row.value);
    await committed(transaction);
  });
}

export function deleteRow(name: string, { store, key }: Row): Promise<void> {
  return withConnection(name, async (database) => {
    const transaction = database.transaction(store, "readwrite");
    transaction.objectStore(store).delete(key);
    await committed(transaction);
  });
}

/** Every byte array inside a value, however deep. */
export function* byteArrays(value: unknown): Generator<Uint8Array> {
  if (value instanceof ArrayBuffer) yield new Uint8Array(value);
  else if (ArrayBuffer.isView(value)) yield new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  else if (value instanceof Map) for (const pair of value) yield* byteArrays(pair);
  else if (typeof value === "object" && value !== null) for (const part of Object.values(value)) yield* byteArrays(part);
}

/** Every string inside a value, property names included. */
function* strings(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return;
  else if (value instanceof Map) for (const pair of value) yield* strings(pair);
  else if (typeof value === "object" && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      if (!Array.isArray(value)) yield name;
      yield* strings(part);
    }
  }
}

function* scalars(value: unknown): Generator<number | bigint | boolean | Date> {
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" || value instanceof Date) yield value;
  else if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return;
  else if (value instanceof Map) for (const pair of value) yield* scalars(pair);
  else if (typeof value === "object" && value !== null) for (const part of Object.values(value)) yield* scalars(part);
}

function sizeOf(value: unknown): number {
  let size = 8 * [...scalars(value)].length;
  for (const bytes of byteArrays(value)) size += bytes.byteLength;
  for (const text of strings(value)) size += text.length;
  return size;
}

/** Bytes of content in rows, keys included: what any engine has to keep, without its own overhead. */
export function bytesOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { key, value }) => sum + sizeOf(key) + sizeOf(value), 0);
}

/** All that stands in the rows, as one text; text that was stored as UTF-8 is in it as its bytes, which for ASCII are its letters. */
export function textOf(rows: readonly Row[]): string {
  const decoder = new TextDecoder("latin1");
  return rows.flatMap((row) => [...[...byteArrays(row.value)].map((bytes) => decoder.decode(bytes)), ...strings([row.key, row.value])]).join("\n");
}

/** How often an ASCII text stands in another. */
export function occurrences(text: string, part: string): number {
  let found = 0;
  for (let start = text.indexOf(part); start >= 0; start = text.indexOf(part, start + part.length)) found += 1;
  return found;
}

/** Makes the rows of a database, which the package has made, just these. */
export function setRows(name: string, rows: readonly Row[]): Promise<void> {
  return withConnection(name, async (database) => {
    const transaction = database.transaction([...database.objectStoreNames], "readwrite");
    for (const store of database.objectStoreNames) transaction.objectStore(store).clear();
    for (const { store, key, value } of rows) transaction.objectStore(store).put(value, key);
    await committed(transaction);
  });
}
