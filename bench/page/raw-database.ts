const [name, store, key] = ["raw", "rows", 1];

/** The least that reading a row takes: raw IndexedDB, no library. */
export function openRaw(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name);
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore(store));
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("raw database")));
  });
}

export function readRaw(database: IDBDatabase): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const request: IDBRequest<Uint8Array | undefined> = database.transaction(store).objectStore(store).get(key);
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("raw read")));
  });
}

export function writeRaw(database: IDBDatabase, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, "readwrite", { durability: "relaxed" });
    transaction.objectStore(store).put(bytes, key);
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("raw write")));
  });
}
