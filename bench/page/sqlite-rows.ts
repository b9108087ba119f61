import { type Remote, wrap } from "comlink";
import type { CheckpointRow, Rows, WriteRow } from "./row-saver.ts";
import type { SqliteWorker } from "./sqlite-worker.ts";

const schema = [
  `CREATE TABLE IF NOT EXISTS checkpoints (threadId TEXT NOT NULL, ns TEXT NOT NULL, id TEXT NOT NULL, parentId TEXT,
     checkpoint BLOB NOT NULL, metadata BLOB NOT NULL, PRIMARY KEY (threadId, ns, id))`,
  `CREATE TABLE IF NOT EXISTS writes (threadId TEXT NOT NULL, ns TEXT NOT NULL, checkpointId TEXT NOT NULL, taskId TEXT NOT NULL,
     idx INTEGER NOT NULL, taskPath TEXT NOT NULL, channel TEXT NOT NULL, type TEXT NOT NULL, value BLOB NOT NULL,
     PRIMARY KEY (threadId, ns, checkpointId, taskId, idx))`,
];
const checkpointColumns = "threadId, ns, id, parentId, checkpoint, metadata";
const writeColumns = "threadId, ns, checkpointId, taskId, idx, taskPath, channel, type, value";

type Cell = string | number | Uint8Array | null;

/** The two tables in SQLite, in a worker. */
export class SqliteRows implements Rows {
  readonly #name: string;
  #worker: Worker | undefined;
  #opening: Promise<Remote<SqliteWorker>> | undefined;

  constructor(workerName: string) {
    this.#name = workerName;
  }

  #open(): Promise<Remote<SqliteWorker>> {
    this.#opening ??= (async () => {
      this.#worker = new Worker(new URL("./sqlite-worker.ts", import.meta.url), { type: "module", name: this.#name });
      const sqlite = wrap<SqliteWorker>(this.#worker);
      await sqlite.run(schema.map((sql) => ({ sql })));
      return sqlite;
    })();
    return this.#opening;
  }

  async #rows(sql: string, bind: Cell[]): Promise<Cell[][]> {
    const [rows] = await (await this.#open()).run([{ sql, bind }]);
    return (rows ?? []) as Cell[][];
  }

  async putCheckpoint({ threadId, ns, id, parentId, checkpoint, metadata }: CheckpointRow): Promise<void> {
    const row = [threadId, ns, id, parentId ?? null, checkpoint, metadata];
    await this.#rows(`INSERT OR REPLACE INTO checkpoints (${checkpointColumns}) VALUES (?, ?, ?, ?, ?, ?)`, row);
  }

  async putWrites(rows: readonly WriteRow[]): Promise<void> {
    const statements = rows.map(({ threadId, ns, checkpointId, taskId, idx, taskPath, channel, type, value }) => ({
      sql: `INSERT OR ${idx < 0 ? "REPLACE" : "IGNORE"} INTO writes (${writeColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      bind: [threadId, ns, checkpointId, taskId, idx, taskPath, channel, type, value],
    }));
    await (await this.#open()).run(statements);
  }

  async checkpoint(threadId: string, ns: string, id: string): Promise<CheckpointRow | undefined> {
    const where = "WHERE threadId = ? AND ns = ? AND id = ?";
    return (await this.#rows(`SELECT ${checkpointColumns} FROM checkpoints ${where}`, [threadId, ns, id])).map(checkpointRow)[0];
  }

  async newest(threadId: string, ns: string, limit: number, before = "~"): Promise<readonly CheckpointRow[]> {
    const where = "WHERE threadId = ? AND ns = ? AND id < ? ORDER BY id DESC LIMIT ?";
    return (await this.#rows(`SELECT ${checkpointColumns} FROM checkpoints ${where}`, [threadId, ns, before, limit])).map(checkpointRow);
  }

  async writes(threadId: string, ns: string, checkpointId: string): Promise<readonly WriteRow[]> {
    const where = "WHERE threadId = ? AND ns = ? AND checkpointId = ?";
    return (await this.#rows(`SELECT ${writeColumns} FROM writes ${where}`, [threadId, ns, checkpointId])).map(writeRow);
  }

  async deleteThread(threadId: string): Promise<void> {
    const statements = ["checkpoints", "writes"].map((table) => ({ sql: `DELETE FROM ${table} WHERE threadId = ?`, bind: [threadId] }));
    await (await this.#open()).run(statements);
  }

  async all(table: "checkpoints" | "writes"): Promise<Cell[][]> {
    return this.#rows(`SELECT * FROM ${table}`, []);
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close();
    this.#worker?.terminate();
    this.#opening = undefined;
  }
}

const checkpointRow = ([threadId, ns, id, parentId, checkpoint, metadata]: Cell[]) =>
  ({ threadId, ns, id, parentId: parentId ?? undefined, checkpoint, metadata }) as CheckpointRow;

const writeRow = ([threadId, ns, checkpointId, taskId, idx, taskPath, channel, type, value]: Cell[]) =>
  ({ threadId, ns, checkpointId, taskId, idx, taskPath, channel, type, value }) as WriteRow;
