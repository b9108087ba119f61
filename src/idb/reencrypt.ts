import { lock, type Slots, unlock, withNewDataKey, withoutPast } from "../cipher/index.ts";
import { CheckpointError, WrongKeyError } from "../errors/index.ts";
import { Connection, type Opened } from "./connection.ts";
import { ROW_STORES } from "./schema.ts";
import { writeAll } from "./transaction.ts";
import type { Vault } from "./vault.ts";
import { Vigil } from "./vigil.ts";

/** Rows to one transaction, so that others get their turn. */
const PAGE = 64;

/**
 * Encrypts all rows anew, for another key, or for the first one. In between the database opens with both keys, and every transaction goes by the
 * slots that are there: so rows are written with the new data key from the moment that it is there, and those that are left
 * of the old one only become fewer. When none is left, the old key's slot goes. What is cut short is taken up by the next call.
 */
export async function reencrypt(name: string, from: CryptoKey | undefined, to: CryptoKey): Promise<void> {
  const connection = new Connection(name, { locked: { key: from ?? to, converts: from === undefined } });
  try {
    const target = await begin(connection, from, to);
    if (target === undefined) return;
    for (const store of ROW_STORES) {
      let last: IDBValidKey | undefined;
      do {
        const after = last;
        last = await rewrite(connection, async (raw, vault) => {
          const tx = vault.over(raw);
          const end = await tx.renew(store, after, PAGE);
          await tx.flush();
          return end;
        });
      } while (last !== undefined);
    }
    await finish(connection, to, target);
  } catch (error) {
    if (from === undefined || !isWrongKey(error) || !(await opens(name, to))) throw error;
  } finally {
    await connection.close();
  }
}

/** Gives the number of the data key that all rows shall have; nothing if they have it. */
async function begin(connection: Connection, from: CryptoKey | undefined, to: CryptoKey): Promise<number | undefined> {
  let target: number | undefined;
  await changeSlots(connection, async (slots) => {
    const secrets = await unlock(from ?? to, slots);
    if (secrets === undefined) throw new WrongKeyError({ database: connection.name });
    target = secrets.takesPlain ? secrets.current : undefined;
    if (from === undefined) return slots;
    const next = secrets.dataKeys.size > 1 ? secrets : withNewDataKey(secrets);
    target = next.current;
    return [await lock(from, next), await lock(to, next)];
  });
  return target;
}

/** Nothing to do if meanwhile somebody else has begun to encrypt everything for yet another key. */
function finish(connection: Connection, to: CryptoKey, target: number): Promise<void> {
  return changeSlots(connection, async (slots) => {
    const secrets = await unlock(to, slots);
    if (secrets === undefined) throw new WrongKeyError({ database: connection.name });
    return secrets.current === target ? [await lock(to, withoutPast(secrets))] : slots;
  });
}

function changeSlots(connection: Connection, change: (slots: Slots) => Promise<Slots>): Promise<void> {
  return rewrite(connection, async (tx) => {
    const meta = tx.objectStore("meta");
    const vigil = new Vigil(() => meta.getKey("generation"));
    const slots = (await meta.get("encryption")) as Slots;
    await meta.put(await vigil.wait(change(slots)), "encryption");
  });
}

function rewrite<T>(connection: Connection, work: (tx: Parameters<Parameters<typeof writeAll>[2]>[0], vault: Vault) => Promise<T>): Promise<T> {
  return connection.use(({ database, vault }: Opened) => writeAll(database, "strict", (tx) => work(tx, vault as Vault)));
}

/** When the old key does not open it any more, the new one shows whether this was done already. */
async function opens(name: string, key: CryptoKey): Promise<boolean> {
  const connection = new Connection(name, { locked: { key } });
  try {
    return await connection.use(() => Promise.resolve(true));
  } catch (error) {
    if (isWrongKey(error)) return false;
    throw error;
  } finally {
    await connection.close();
  }
}

function isWrongKey(error: unknown): boolean {
  return CheckpointError.is(error) && error.code === "wrong-key";
}
