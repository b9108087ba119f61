import { openDB, unwrap } from "idb";
import {
  ClosedError,
  DamagedError,
  DatabaseLostError,
  EncryptionRequiredError,
  ForeignDatabaseError,
  OpenBlockedError,
  StorageUnavailableError,
  TimeoutError,
  UnsupportedFormatError,
} from "../errors/index.ts";
import { classify, classifyOpening, HandleClosed, isLost } from "./classify.ts";
import { type Locked, openEncrypted } from "./encrypted-database.ts";
import { isOlder } from "./older.ts";
import { type Asking, openVersion } from "./open-version.ts";
import { randomName } from "./random-name.ts";
import { type Database, ENCRYPTED, FORMAT, isOurs, migrate, type Schema } from "./schema.ts";
import { close } from "./transaction.ts";
import { Vault } from "./vault.ts";

/** How long opening may take. A browser whose storage is broken can leave it pending for ever. */
const OPEN_LIMIT_MS = 10_000;

/** After how long it is looked after whether others are in the way: Firefox does not say `blocked` where some let go of the database after others did not. */
const LOOK_AFTER_MS = OPEN_LIMIT_MS / 2;

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
  /** The request under way. One is enough: others would only wait behind it, also if it is never answered. */
  #asking: Promise<Database> | undefined;
  #isBlocked = false;
  /** Whoever waited for the request under way has given up. */
  #isAbandoned = false;
  /** The random name of the database that this began with. */
  #generation: Promise<string | undefined> | undefined;
  #known: string | undefined;
  #closed = false;

  /**
   * @param options `locked`: the key of an encrypted database. `generation`: of the database that was used before by whoever uses
   * this now; absent for a first use.
   */
  constructor(name: string, { locked, generation }: { readonly locked?: Locked; readonly generation?: string } = {}) {
    this.name = name;
    this.#locked = locked;
    this.#known = generation;
    if (generation !== undefined) this.#generation = Promise.resolve(generation);
  }

  /** Which database this is, as far as it has been learnt: to recognise it by, also from another realm. */
  get generation(): string | undefined {
    return this.#known;
  }

  /** Runs `work` on an open handle; once more on a new one if the handle turns out to be closing, before any request was made. */
  async use<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
    const opening = this.#open();
    const opened = await opening;
    try {
      return await this.#identified(work(opened));
    } catch (error) {
      if (isLost(error)) this.#leave(opening, opened); // Whoever tries again has another handle.
      if (!(error instanceof HandleClosed)) throw error;
      this.#leave(opening, opened);
      const reopened = await this.#open();
      return await this.#identified(work(reopened)).catch((again: unknown) => {
        throw classify(again);
      });
    }
  }

  /** Gives a name to a database that has lost its own. */
  rename(): Promise<void> {
    return this.use(async ({ database }) => {
      const name = randomName();
      await database.put("meta", name, "generation").catch((error: unknown) => {
        throw classify(error);
      });
      this.#begin(Promise.resolve(name));
      await this.#generation;
    });
  }

  /** Closes the handle, until the next use. What is under way on it ends as it would. */
  suspend(): void {
    const opening = this.#opening;
    this.#opening = undefined;
    opening?.then(
      ({ database }) => database.close(),
      () => undefined,
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    const opened = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    if (opened !== undefined) await close(opened.database);
  }

  #leave(opening: Promise<Opened>, { database }: Opened): void {
    if (this.#opening === opening) this.#opening = undefined;
    database.close();
  }

  /** Work on the first handle need not wait for the name of the database, but to be over without it would be too early. */
  async #identified<T>(work: Promise<T>): Promise<T> {
    const result = await work;
    await this.#generation;
    return result;
  }

  #begin(generation: Promise<string | undefined>): void {
    this.#generation = generation.then(
      (name) => (this.#known = typeof name === "string" && name !== "" ? name : undefined),
      (error: unknown) => {
        this.#generation = undefined;
        throw error;
      },
    );
    this.#generation.catch(() => undefined);
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
    this.#isAbandoned = false;
    this.#asking ??= this.#ask();
    const database = await within(OPEN_LIMIT_MS, this.#asking, () => {
      this.#isAbandoned = true;
      return this.#isBlocked
        ? new OpenBlockedError({ database: this.name, limit: OPEN_LIMIT_MS })
        : new TimeoutError({ operation: "open", limit: OPEN_LIMIT_MS });
    });
    const handle = unwrap(database);
    handle.addEventListener("versionchange", () => {
      forget();
      handle.close();
    });
    handle.addEventListener("close", forget);
    try {
      if (!isOurs(database)) throw new ForeignDatabaseError({ database: this.name });
      const generation = this.#generationOf(database);
      if (this.#generation === undefined) this.#begin(generation);
      else if ((await generation) !== (await this.#generation)) throw new DatabaseLostError({ database: this.name });
      const vault = this.#locked && (await this.#vaultOf(database, await generation, this.#locked));
      if (this.#closed) throw new ClosedError({});
      return { database, ...(vault === undefined ? {} : { vault }) };
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** @throws DamagedError where the database has lost its name: without it no row opens, so all of them would be taken for damaged */
  async #vaultOf(database: Database, generation: string | undefined, { key }: Locked): Promise<Vault> {
    if (generation === undefined) throw new DamagedError({ store: "meta", key: JSON.stringify("generation") });
    return Vault.of(database, generation, key);
  }

  #generationOf(database: Database): Promise<string | undefined> {
    const asked = database.get("meta", "generation") as Promise<string | undefined>;
    const reading = within(OPEN_LIMIT_MS, asked, () => new TimeoutError({ operation: "open", limit: OPEN_LIMIT_MS }));
    return reading.catch((error: unknown) => {
      throw classify(error);
    });
  }

  /** Asks for a handle. One that comes after nobody waits any more is closed at once. */
  async #ask(): Promise<Database> {
    this.#isBlocked = false;
    let refused: Error | undefined;
    let isUpgrading = false;
    const lookAround = async () => {
      if (await isOlder(this.name, this.#locked === undefined ? FORMAT : ENCRYPTED + FORMAT)) this.#isBlocked = !isUpgrading;
    };
    const look = setTimeout(() => void lookAround(), LOOK_AFTER_MS);
    const asking: Asking = {
      refusal: (made, oldVersion) => {
        isUpgrading = true;
        this.#isBlocked = false;
        return (refused = this.#refusal(made, oldVersion));
      },
      blocked: () => {
        this.#isBlocked = true;
      },
    };
    try {
      const database = await (this.#locked === undefined ? openPlain(this.name, asking) : openEncrypted(this.name, this.#locked, asking));
      if (this.#isAbandoned) database.close();
      return database;
    } catch (error) {
      return await refuseNewer(this.name, refused ?? error);
    } finally {
      clearTimeout(look);
      this.#asking = undefined;
    }
  }

  /** Nothing is made in the place of a database that has gone, and nothing in one that is not ours. */
  #refusal(made: Database, oldVersion: number): Error | undefined {
    if (oldVersion === 0) return this.#generation === undefined ? undefined : new DatabaseLostError({ database: this.name });
    return made.objectStoreNames.contains("meta") ? undefined : new ForeignDatabaseError({ database: this.name });
  }
}

function openPlain(name: string, asking: Asking): Promise<Database> {
  return openVersion(name, FORMAT, asking, (database, from, tx) => {
    if (asking.refusal(database, from) === undefined) migrate(database);
    else tx.abort();
  });
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

/** What comes within a limit, or the error for what does not. */
function within<T>(limit: number, coming: Promise<T>, tooLate: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooLate()), limit);
    coming.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
