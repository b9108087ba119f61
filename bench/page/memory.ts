import { MemorySaver } from "@langchain/langgraph/web";
import { encodedBytes, type StoreSize } from "./rows.ts";

/** What `MemorySaver` holds, counted as the rows of a database are: it keeps the serialized bytes of every checkpoint and write. */
export function memorySizes(saver: MemorySaver): StoreSize[] {
  const checkpoints = Object.values(saver.storage).flatMap((thread) => Object.values(thread).flatMap(Object.entries));
  const writes = Object.values(saver.writes).flatMap(Object.entries);
  return [sizeOf("checkpoints", checkpoints), sizeOf("writes", writes)];
}

function sizeOf(store: string, rows: readonly [string, unknown][]): StoreSize {
  const total = (part: 0 | 1) => rows.reduce((sum, row) => sum + encodedBytes(row[part]), 0);
  return { store, rows: rows.length, keyBytes: total(0), valueBytes: total(1), indexEntries: 0, indexBytes: 0 };
}
