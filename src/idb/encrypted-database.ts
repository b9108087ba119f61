import { lock, newSecrets, type Slots } from "../cipher/index.ts";
import { ForeignDatabaseError, NotEncryptedError } from "../errors/index.ts";
import { type Asking, openVersion, type Upgrade } from "./open-version.ts";
import { type Database, ENCRYPTED, FORMAT, migrate, ROW_STORES } from "./schema.ts";

/** What opens an encrypted database. */
export interface Locked {
  readonly key: CryptoKey;
  /** The rows of a database that is not encrypted stay, to be encrypted one after another. Otherwise one that has rows is refused. */
  readonly converts?: boolean;
}

/** Opens an encrypted database; an empty one, or one that is not there, becomes encrypted. */
export async function openEncrypted(name: string, { key, converts = false }: Locked, asking: Asking): Promise<Database> {
  const slots = [await lock(key, newSecrets(converts))];
  let refused: Error | undefined;
  try {
    return await openVersion(name, ENCRYPTED + FORMAT, asking, (database, from, tx) => {
      refused = asking.refusal(database, from);
      const upgrade = refused === undefined ? encrypt(database, from, tx, slots, converts) : Promise.reject(refused);
      upgrade.catch((error: unknown) => {
        if (tx.error !== null) return; // It was aborted, and its own error says why.
        refused ??= error as Error;
        tx.abort();
      });
    });
  } catch (error) {
    throw refused ?? error;
  }
}

async function encrypt(database: Database, from: number, tx: Upgrade, slots: Slots, converts: boolean): Promise<void> {
  const stores = database.objectStoreNames as DOMStringList;
  const isOurs = from === 0 || ((from <= FORMAT || from > ENCRYPTED) && stores.contains("meta") && stores.contains("checkpoints"));
  if (!isOurs) throw new ForeignDatabaseError({ database: database.name });
  migrate(database);
  if (from > ENCRYPTED) return;
  await tx.objectStore("meta").put(slots, "encryption");
  const counts = await Promise.all(ROW_STORES.map((store) => tx.objectStore(store).count()));
  if (!converts && counts.some((count) => count > 0)) throw new NotEncryptedError({ database: database.name });
}
