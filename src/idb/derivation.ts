import { openDB } from "idb";
import { ForeignDatabaseError } from "../errors/index.ts";
import { classify, classifyOpening } from "./classify.ts";
import { requireIndexedDB } from "./connection.ts";
import { type Database, type Derivation, FORMAT, isOurs, migrate, type Schema } from "./schema.ts";
import { writeAll } from "./transaction.ts";

/** What the keys of a database are derived with: `fresh`, where nothing was stored yet. Makes the database if there is none. */
export async function derivationOf(name: string, fresh: Derivation): Promise<Derivation> {
  requireIndexedDB();
  const database = await open(name).catch((error: unknown) => {
    throw classifyOpening(error, name);
  });
  try {
    if (!isOurs(database)) throw new ForeignDatabaseError({ database: name });
    return await writeAll(database, "strict", async (tx) => {
      const meta = tx.objectStore("meta");
      const stored = (await meta.get("passphrase")) as Derivation | undefined;
      if (stored === undefined) await meta.put(fresh, "passphrase");
      return stored ?? fresh;
    });
  } catch (error) {
    throw classify(error);
  } finally {
    database.close();
  }
}

/** Whether it is encrypted or not. */
function open(name: string): Promise<Database> {
  return openDB<Schema>(name, FORMAT, { upgrade: migrate }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "VersionError") return openDB<Schema>(name);
    throw error;
  });
}
