import { MemorySaver } from "@langchain/langgraph/web";
import type { ArrayRow } from "./array-row.ts";
import { keyvalMessagesRow, keyvalRow } from "./keyval-row.ts";
import { memorySizes } from "./memory.ts";
import type { PageMeter } from "./metered.ts";
import { RawRow, RawWorkerRow } from "./raw-row.ts";
import { RowSaver } from "./row-saver.ts";
import { encodedBytes, storeSizes, type StoreSize } from "./rows.ts";
import { databaseName, openSaver, type Saver, type SaverName } from "./savers.ts";
import { SqliteRows } from "./sqlite-rows.ts";

export type ArrayName = "keyval" | "keyval-messages" | "raw" | "raw-worker";

/** What keeps a chat: a saver under a graph, or one value that holds the whole array. */
export type SubjectName = SaverName | ArrayName;

export type Subject = { readonly saver: Saver } | { readonly array: ArrayRow };

export function openSubject(name: SubjectName, meter?: PageMeter): Subject {
  switch (name) {
    case "keyval":
      return { array: keyvalRow };
    case "keyval-messages":
      return { array: keyvalMessagesRow };
    case "raw":
      return { array: new RawRow() };
    case "raw-worker":
      return { array: new RawWorkerRow() };
    default:
      return { saver: openSaver(name, meter) };
  }
}

/** The rows that an open subject holds. */
export async function sizesOf(name: SubjectName, subject: Subject): Promise<StoreSize[]> {
  if ("array" in subject) return storeSizes(name.startsWith("raw") ? "raw" : "keyval-store");
  const { saver } = subject;
  if (saver instanceof MemorySaver) return memorySizes(saver);
  if (saver instanceof RowSaver && saver.rows instanceof SqliteRows) return sqliteSizes(saver.rows);
  return storeSizes(databaseName);
}

function sqliteSizes(sqlite: SqliteRows): Promise<StoreSize[]> {
  return Promise.all(
    (["checkpoints", "writes"] as const).map(async (store) => {
      const rows = await sqlite.all(store);
      const valueBytes = rows.reduce((sum, row) => sum + row.reduce<number>((bytes, cell) => bytes + encodedBytes(cell), 0), 0);
      return { store, rows: rows.length, keyBytes: 0, valueBytes, indexEntries: 0, indexBytes: 0 };
    }),
  );
}
