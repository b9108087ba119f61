import { type DBSchema, openDB } from "idb";
import { classifyOpening } from "./classify.ts";
import { requireIndexedDB } from "./connection.ts";

interface KeySchema extends DBSchema {
  /** By database and name. */
  keys: { key: [database: string, name: string]; value: CryptoKey };
}

/** Apart from the databases they open: a copy of one of those holds no key. */
const KEYS = "langgraph-checkpoint-indexeddb keys";

/** The key that is kept under a name, which is `fresh` if there was none. */
export function keptKey(database: string, name: string, fresh: CryptoKey): Promise<CryptoKey> {
  return withKeys(async (keys) => {
    const kept = await keys.get([database, name]);
    if (kept === undefined) await keys.put(fresh, [database, name]);
    return kept ?? fresh;
  });
}

export function forgetKey(database: string, name: string): Promise<void> {
  return withKeys((keys) => keys.delete([database, name]));
}

type Keys = Awaited<ReturnType<typeof open>>["keys"];

async function withKeys<T>(work: (keys: Keys) => Promise<T>): Promise<T> {
  requireIndexedDB();
  try {
    const { database, keys, done } = await open();
    try {
      const [result] = await Promise.all([work(keys), done]);
      return result;
    } finally {
      database.close();
    }
  } catch (error) {
    throw classifyOpening(error, KEYS);
  }
}

async function open() {
  const database = await openDB<KeySchema>(KEYS, 1, { upgrade: (made) => void made.createObjectStore("keys") });
  const tx = database.transaction("keys", "readwrite", { durability: "strict" });
  return { database, keys: tx.store, done: tx.done };
}
