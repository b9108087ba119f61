import { type IDBPTransaction, unwrap } from "idb";
import { TimeoutError } from "../errors/index.ts";
import { classify, classifyBeginning } from "./classify.ts";
import type { Opened } from "./connection.ts";
import type { EncryptedTransaction } from "./encrypted-transaction.ts";
import { recordsOf } from "./records.ts";
import { type ContentKey, type Database, type Reading, ROW_STORES, type RowStore, type Schema, type Sealed, type Writing } from "./schema.ts";

/** How long one transaction may take, waiting for others included, before it is aborted. */
const TRANSACTION_LIMIT_MS = 30_000;

/** A transaction of a lost connection may never say that it has ended. */
const ABORT_LIMIT_MS = 2_000;

/** The rows and what says how they are encrypted. */
const ALL_STORES: (RowStore | "meta")[] = [...ROW_STORES, "meta"];

type Raw<Stores extends RowStore | "meta" = RowStore | "meta", Mode extends IDBTransactionMode = "readwrite"> = IDBPTransaction<Schema, Stores[], Mode>;

export async function read<T>({ database, vault }: Opened, work: (tx: Reading) => Promise<T>): Promise<T> {
  if (vault !== undefined) {
    const tx = begin(() => database.transaction(ALL_STORES, "readonly"));
    return settle(database, tx, "read", () => work(vault.over(tx)));
  }
  const tx = begin(() => database.transaction(ROW_STORES, "readonly"));
  return settle(database, tx, "read", () => work(tx));
}

/** Resolves when the transaction is complete: nothing is acknowledged before it is committed. */
export async function write<T>({ database, vault }: Opened, durability: "relaxed" | "strict", work: (tx: Writing) => Promise<T>): Promise<T> {
  if (vault !== undefined) {
    return writeAll(database, durability, async (raw) => {
      const tx = vault.over(raw);
      const result = await work(tx);
      await tx.flush();
      return result;
    });
  }
  const tx = begin(() => database.transaction(ROW_STORES, "readwrite", { durability }));
  return settle(database, tx, "write", () => committed(tx, work(tx)));
}

/** A transaction over the rows as they are on disk, and over what says how they are encrypted. */
export function writeAll<T>(database: Database, durability: "relaxed" | "strict", work: (tx: Raw) => Promise<T>): Promise<T> {
  const tx = begin(() => database.transaction(ALL_STORES, "readwrite", { durability }));
  return settle(database, tx, "write", () => committed(tx, work(tx)));
}

async function committed<T>(tx: Pick<Raw, "commit" | "done">, work: Promise<T>): Promise<T> {
  const result = await work;
  tx.commit();
  await tx.done;
  return result;
}

/** Asks for a put whose outcome is that of the transaction: there is no promise of its own that could go unheard. */
export function put<S extends RowStore>(tx: Writing, store: S, value: Schema[S]["value"], key: Schema[S]["key"]): void {
  const records: [Schema[S]["value"], Schema[S]["key"]][] = store === "content" ? recordsOf(value as Sealed, key as ContentKey) : [[value, key]];
  for (const [record, recordKey] of records) {
    if (isEncrypted(tx)) tx.put(store, record, recordKey);
    else unencrypted(tx).objectStore(store).put(record, recordKey);
  }
}

export function remove<S extends RowStore>(tx: Writing, store: S, keys: IDBKeyRange | Schema[S]["key"]): void {
  if (isEncrypted(tx)) tx.remove(store, keys);
  else unencrypted(tx).objectStore(store).delete(keys);
}

function isEncrypted(tx: Writing): tx is EncryptedTransaction {
  return "put" in tx;
}

function unencrypted(tx: Writing): IDBTransaction {
  return unwrap(tx as unknown as Raw<RowStore>);
}

type Settling = Pick<Raw, "abort" | "done" | "error">;

/** Of each handle the transactions that have not ended. */
const underWay = new WeakMap<Database, Set<Promise<unknown>>>();

/**
 * Closes a handle when its last transaction has ended. A read is over before its transaction is; and where a worker is ended
 * between the call of `close` and the end of a transaction, WebKit keeps the connection open, and the database blocked.
 */
export async function close(database: Database): Promise<void> {
  await Promise.all(underWay.get(database) ?? new Set<Promise<unknown>>());
  database.close();
}

function begin<T>(start: () => T): T {
  try {
    return start();
  } catch (error) {
    throw classifyBeginning(error);
  }
}

/**
 * Ends a transaction in one of two ways: `work` resolved, or it is aborted and the error is typed. The transaction's own
 * error comes first, since it says why (a full disk, say) where a request only says that it was aborted.
 */
async function settle<T>(database: Database, tx: Settling, operation: string, work: () => Promise<T>): Promise<T> {
  const others = underWay.get(database) ?? new Set<Promise<unknown>>();
  const done = tx.done
    .then(
      () => undefined,
      (error: unknown) => error,
    )
    .finally(() => others.delete(done));
  underWay.set(database, others.add(done));
  let expired = false;
  const deadline = setTimeout(() => {
    expired = true;
    abort(tx);
  }, TRANSACTION_LIMIT_MS);
  try {
    return await work();
  } catch (error) {
    abort(tx);
    const ended = await Promise.race([done, after(ABORT_LIMIT_MS)]);
    if (expired) throw new TimeoutError({ operation, limit: TRANSACTION_LIMIT_MS }, { cause: error });
    throw classify(tx.error ?? (isBareAbort(error) ? ended : error) ?? error);
  } finally {
    clearTimeout(deadline);
  }
}

function after(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, undefined));
}

function isBareAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

function abort(tx: Settling): void {
  try {
    tx.abort();
  } catch {
    // Already ended: there is nothing left to abort.
  }
}
