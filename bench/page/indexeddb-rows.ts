import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { CheckpointRow, Rows, WriteRow } from "./row-saver.ts";

interface Schema extends DBSchema {
  checkpoints: { key: [string, string, string]; value: CheckpointRow };
  writes: { key: [string, string, string, string, number]; value: WriteRow };
}

/** The two tables as object stores. */
export class IndexedDBRows implements Rows {
  readonly #name: string;
  #opening: Promise<IDBPDatabase<Schema>> | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  #open(): Promise<IDBPDatabase<Schema>> {
    this.#opening ??= openDB<Schema>(this.#name, 1, {
      upgrade(database) {
        database.createObjectStore("checkpoints", { keyPath: ["threadId", "ns", "id"] });
        database.createObjectStore("writes", { keyPath: ["threadId", "ns", "checkpointId", "taskId", "idx"] });
      },
    });
    return this.#opening;
  }

  async putCheckpoint(row: CheckpointRow): Promise<void> {
    const transaction = (await this.#open()).transaction("checkpoints", "readwrite", { durability: "relaxed" });
    await Promise.all([transaction.store.put(row), transaction.done]);
  }

  async putWrites(rows: readonly WriteRow[]): Promise<void> {
    const transaction = (await this.#open()).transaction("writes", "readwrite", { durability: "relaxed" });
    const putUnlessThere = async (row: WriteRow) => {
      const there = await transaction.store.getKey([row.threadId, row.ns, row.checkpointId, row.taskId, row.idx]);
      if (there === undefined) await transaction.store.put(row);
    };
    await Promise.all([...rows.map((row) => (row.idx < 0 ? transaction.store.put(row) : putUnlessThere(row))), transaction.done]);
  }

  async checkpoint(threadId: string, ns: string, id: string): Promise<CheckpointRow | undefined> {
    return (await this.#open()).get("checkpoints", [threadId, ns, id]);
  }

  async newest(threadId: string, ns: string, limit: number, before?: string): Promise<readonly CheckpointRow[]> {
    const range = IDBKeyRange.bound([threadId, ns], [threadId, ns, before ?? []], false, true);
    const rows: CheckpointRow[] = [];
    let cursor = await (await this.#open()).transaction("checkpoints").store.openCursor(range, "prev");
    while (cursor !== null) {
      rows.push(cursor.value);
      if (rows.length === limit) break;
      cursor = await cursor.continue();
    }
    return rows;
  }

  async writes(threadId: string, ns: string, checkpointId: string): Promise<readonly WriteRow[]> {
    return (await this.#open()).getAll("writes", prefix(threadId, ns, checkpointId));
  }

  async deleteThread(threadId: string): Promise<void> {
    const transaction = (await this.#open()).transaction(["checkpoints", "writes"], "readwrite");
    await Promise.all([
      transaction.objectStore("checkpoints").delete(prefix(threadId)),
      transaction.objectStore("writes").delete(prefix(threadId)),
      transaction.done,
    ]);
  }

  async close(): Promise<void> {
    (await this.#opening)?.close();
    this.#opening = undefined;
  }
}

const prefix = (...parts: readonly string[]) => IDBKeyRange.bound(parts, [...parts, []]);
