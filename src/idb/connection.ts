import { openDB } from "idb";
import {
  ClosedError,
  DatabaseLostError,
  ForeignDatabaseError,
  OpenBlockedError,
  StorageUnavailableError,
  TimeoutError,
  UnsupportedFormatError,
} from "../errors/index.ts";
import { classify, classifyOpening, HandleClosed } from "./classify.ts";
import { type Database, FORMAT, isOurs, migrate, type Schema } from "./schema.ts";
import { close } from "./transaction.ts";

/** How long opening may take. A browser whose storage is broken can leave it pending for ever. */
const OPEN_LIMIT_MS = 10_000;

/**
 * One handle on one database, opened at first use, opened again after the browser or another tab closed it. It never
 * goes on with a database that is not the one it started with.
 */
export class Connection {
  readonly name: string;
  #opening: Promise<Database> | undefined;
  /** The random name of the database that this began with. */
  #generation: Promise<string | undefined> | undefined;
  #closed = false;

  constructor(name: string) {
    this.name = name;
  }

  /** Runs `work` on an open handle; once more on a new one if the handle turns out to be closing, before any request was made. */
  async use<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const opening = this.#open();
    const database = await opening;
    try {
      return await this.#identified(work(database));
    } catch (error) {
      if (!(error instanceof HandleClosed)) throw error;
      if (this.#opening === opening) this.#opening = undefined;
      database.close();
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
    const database = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    if (database !== undefined) await close(database);
  }

  #open(): Promise<Database> {
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
  async #openOnce(forget: () => void): Promise<Database> {
    requireIndexedDB();
    const database = await limited(this.name, (onBlocked) =>
      openDB<Schema>(this.name, FORMAT, {
        upgrade: migrate,
        blocked: onBlocked,
        blocking: (_current, _blocked, event) => {
          forget();
          (event.target as IDBDatabase).close();
        },
        terminated: forget,
      }).catch((error: unknown) => refuseNewer(this.name, error)),
    );
    try {
      if (!isOurs(database)) throw new ForeignDatabaseError({ database: this.name });
      const generation = database.get("meta", "generation");
      if (this.#generation === undefined) this.#begin(generation);
      else if ((await generation) !== (await this.#generation)) throw new DatabaseLostError({ database: this.name });
      if (this.#closed) throw new ClosedError({});
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

/** A database of a higher version is a later format of ours, which has at least these two stores, or none of ours. */
async function refuseNewer(name: string, error: unknown): Promise<never> {
  if (!(error instanceof DOMException) || error.name !== "VersionError") throw error;
  const found = await openDB<Schema>(name);
  const ours = ["meta", "checkpoints"].every((store) => (found.objectStoreNames as DOMStringList).contains(store));
  found.close();
  throw ours ? new UnsupportedFormatError({ database: name }, { cause: error }) : new ForeignDatabaseError({ database: name }, { cause: error });
}

function requireIndexedDB(): void {
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
