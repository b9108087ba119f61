import type { Reading, ThreadKey } from "../idb/index.ts";
import { type Revision, unpackRevision } from "./thread-row.ts";

/** The threads that imports are making, or have left behind, by what they are called in keys. */
export async function unfinishedImports(tx: Reading): Promise<Map<ThreadKey, Revision>> {
  const store = tx.objectStore("revisions");
  const [keys, rows] = await Promise.all([store.getAllKeys(), store.getAll()]);
  const found = new Map<ThreadKey, Revision>();
  for (const [index, key] of keys.entries()) {
    try {
      const revision = unpackRevision(key, rows[index]);
      if (revision.import !== undefined) found.set(key, revision);
    } catch {
      // A row that cannot be read is a listed thread's, or a stray one.
    }
  }
  return found;
}
