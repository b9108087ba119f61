import { type IDBPTransaction, openDB } from "idb";
import type { Database, RowStore, Schema } from "./schema.ts";

/** What a request to open is told and tells. */
export interface Asking {
  /** Why the upgrade from a version is not to be made, if it is not. */
  readonly refusal: (database: Database, from: number) => Error | undefined;
  readonly blocked: () => void;
}

export type Upgrade = IDBPTransaction<Schema, (RowStore | "meta")[], "versionchange">;

/**
 * Opens a database of some version. Where the browser aborts the upgrade, because the disk is full, say, the error is why it did,
 * which the request itself does not tell.
 */
export async function openVersion(name: string, version: number, { blocked }: Asking, upgrade: (database: Database, from: number, tx: Upgrade) => void): Promise<Database> {
  let aborted: unknown;
  try {
    return await openDB<Schema>(name, version, {
      blocked,
      upgrade: (database, from, _to, tx) => {
        tx.done.catch((error: unknown) => {
          aborted = error;
        });
        upgrade(database, from, tx);
      },
    });
  } catch (error) {
    throw aborted ?? error;
  }
}
