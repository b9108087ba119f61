import { openDB, type OpenDBCallbacks } from "idb";
import {
  ClosedError,
  DatabaseLostError,
  EncryptionRequiredError,
  ForeignDatabaseError,
  OpenBlockedError,
  StorageUnavailableError,
  TimeoutError,
  UnsupportedFormatError,
} from "../errors/index.ts";
import { classify, classifyOpening, HandleClosed } from "./classify.ts";
import type { Locked } from "./encrypted-database.ts";
import { type Database, ENCRYPTED, FORMAT, isOurs, migrate, type Schema } from "./schema.ts";
import { close } from "./transaction.ts";
import type { Vault } from "./vault.ts";

/** How long opening may take. A browser whose storage is broken can leave it pending for ever. */
const OPEN_LIMIT_MS = 10_000;

/** A handle, and what reads its rows if they are encrypted. */
export interface Opened {
  readonly database: Database;
  readonly vault?: Vault;
}

/**
 * One handle on one database, opened at first use, opened again after the browser or another tab closed it. It never
 * goes on with a database that is not the one it started with.
 */
export class Connection {
  readonly name: string;
  readonly #locked: Locked | undefined;
  #opening: Promise<Opened> | undefined;
  /** The random name of the database that this began with. */
  #generation: Promise<string | undefined> | undefined;
  #closed = false;

  /** @param locked the key of an encrypted database */
  constructor(name: string, locked?: Locked) {
    this.name = name;
    this.#locked = locked;
  }

  /** Runs `work` on an open handle; once more on a new one if the handle turns out to be closing, before any request was made. */
  async use<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
    const opening = this.#open();
    const opened = await opening;
    try {
      return await this.#identified(work(opened));
    } catch (error) {
      if (!(error instanceof HandleClosed)) throw error;
      if (this.#opening === opening) this.#opening = undefined;
      opened.database.close();
      const reopened = await this.#open();
      return await this.#identified(work(reopened)).catch((again: unknown) => {
        throw classify(again);
      });
    }
  }

  /** Work on the first handle need not wait for the name of the database, but to be over without it would be too early. */
  async #identified<T>(work: Promise<T>): Promise<T> {
    const result = await work;
    await this.#generation;
    return result;
  }

  #begin(generation: Promise<string | undefined>): void {
    this.#generation = generation.catch((error: unknown) => {
      this.#generation = undefined;
      throw classify(error);
    });
    this.#generation.catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const opened = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    if (opened !== undefined) await close(opened.database);
  }

  #open(): Promise<Opened> {
    if (this.#closed) return Promise.reject(new ClosedError({}));
    if (this.#opening !== undefined) return this.#opening;
    const forget = () => {
      if (this.#opening === opening) this.#opening = undefined;
    };
    const opening = this.#openOnce(forget).catch((error: unknown) => {
      forget();
      throw classifyOpening(error, this.name);
    });
    this.#opening = opening;
    return opening;
  }

  /** @param forget to be called when the handle is of no use any more */
  async #openOnce(forget: () => void): Promise<Opened> {
    requireIndexedDB();
    const locked = this.#locked;
    const encrypted = locked === undefined ? undefined : { locked, ...(await import("./encrypted.ts")) };
    const database = await limited(this.name, (onBlocked) => {
      const told: OpenDBCallbacks<Schema> = {
        blocked: onBlocked,
        blocking: (_current, _blocked, event) => {
          forget();
          (event.target as IDBDatabase).close();
        },
        terminated: forget,
      };
      const opening = encrypted === undefined ? openDB<Schema>(this.name, FORMAT, { ...told, upgrade: migrate }) : encrypted.openEncrypted(this.name, encrypted.locked, told);
      return opening.catch((error: unknown) => refuseNewer(this.name, error));
    });
    try {
      if (!isOurs(database)) throw new ForeignDatabaseError({ database: this.name });
      const generation = database.get("meta", "generation") as Promise<string | undefined>;
      if (this.#generation === undefined) this.#begin(generation);
      else if ((await generation) !== (await this.#generation)) throw new DatabaseLostError({ database: this.name });
      const vault = await encrypted?.Vault.of(database, (await generation) ?? "", encrypted.locked.key);
      if (this.#closed) throw new ClosedError({});
      return { database, ...(vault === undefined ? {} : { vault }) };
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

/** A database of a higher version is encrypted, or a later format of ours, which has at least these two stores, or none of ours. */
async function refuseNewer(name: string, error: unknown): Promise<never> {
  if (!(error instanceof DOMException) || error.name !== "VersionError") throw error;
  const found = await openDB<Schema>(name);
  const ours = ["meta", "checkpoints"].every((store) => (found.objectStoreNames as DOMStringList).contains(store));
  const isEncrypted = found.version > ENCRYPTED && found.version <= ENCRYPTED + FORMAT;
  found.close();
  if (ours && isEncrypted) throw new EncryptionRequiredError({ database: name }, { cause: error });
  throw ours ? new UnsupportedFormatError({ database: name }, { cause: error }) : new ForeignDatabaseError({ database: name }, { cause: error });
}

export function requireIndexedDB(): void {
  let factory: IDBFactory | undefined;
  try {
    factory = globalThis.indexedDB;
  } catch (error) {
    throw new StorageUnavailableError({ reason: "this page may not touch it" }, { cause: error });
  }
  if (!factory) throw new StorageUnavailableError({ reason: "there is none" });
}

/** Opens within the limit. A handle that arrives after the caller gave up is closed at once. */
function limited(name: string, open: (onBlocked: () => void) => Promise<Database>): Promise<Database> {
  return new Promise((resolve, reject) => {
    let blocked = false;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(
        blocked
          ? new OpenBlockedError({ database: name, limit: OPEN_LIMIT_MS })
          : new TimeoutError({ operation: "open", limit: OPEN_LIMIT_MS }),
      );
    }, OPEN_LIMIT_MS);
    open(() => {
      blocked = true;
    })
      .then((database) => {
        if (late) database.close();
        else resolve(database);
      }, reject)
      .finally(() => clearTimeout(timer));
  });
}
