import "./metered-realm.ts";
import sqlite3InitModule, { type BindingSpec, type SqlValue } from "@sqlite.org/sqlite-wasm";
import { expose } from "comlink";

/**
 * SQLite on the files of the origin's private file system, by the VFS that its authors recommend for speed. One connection holds the
 * database, which is what lets it keep a write-ahead log there.
 */
const opened = (async () => {
  const sqlite = await sqlite3InitModule();
  const pool = await sqlite.installOpfsSAHPoolVfs({ name: "bench", initialCapacity: 6 });
  const database = new pool.OpfsSAHPoolDb("/bench.sqlite");
  database.exec("PRAGMA page_size=8192; PRAGMA locking_mode=exclusive; PRAGMA journal_mode=wal; PRAGMA synchronous=normal; PRAGMA cache_size=-65536");
  return { database, pool };
})();

const worker = {
  /** Runs statements in one transaction; gives the rows of each. */
  async run(statements: readonly { readonly sql: string; readonly bind?: BindingSpec }[]): Promise<SqlValue[][][]> {
    const { database } = await opened;
    const all = () =>
      statements.map(({ sql, bind }) => {
        const rows: SqlValue[][] = [];
        database.exec({ sql, ...(bind === undefined ? {} : { bind }), rowMode: "array", resultRows: rows });
        return rows;
      });
    return statements.length === 1 ? all() : database.transaction(all);
  },
  async close(): Promise<void> {
    const { database, pool } = await opened;
    database.close();
    pool.pauseVfs();
  },
};

export type SqliteWorker = typeof worker;

expose(worker);
