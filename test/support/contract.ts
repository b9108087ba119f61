import { afterAll, beforeAll, describe, test } from "vitest";
import { IndexedDBSaver } from "../../src/index.ts";
import { ChannelWorker } from "./channel-worker.ts";
import { deleteDatabase } from "./raw-database.ts";

export type SaverOptions = NonNullable<ConstructorParameters<typeof IndexedDBSaver>[0]>;

/** Where the engine runs: beside the saver, or behind a message boundary; or beside it, over encrypted rows. */
export type Implementation = "inline" | "worker" | "encrypted";
export const implementations: readonly Implementation[] = ["inline", "worker"];
export const allImplementations: readonly Implementation[] = [...implementations, "encrypted"];

export const newKey = (): Promise<CryptoKey> => crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);

/** Of the encrypted databases of a test file. */
const key = await newKey();

export const inNode = typeof Worker === "undefined";

/** In a browser the package's own Worker; in Node the same engine at the other end of a MessageChannel. */
export const workerOption = inNode ? () => new ChannelWorker().asWorker() : true;

export function openSaver(implementation: Implementation, options: SaverOptions): IndexedDBSaver {
  return new IndexedDBSaver({ worker: implementation === "worker" ? workerOption : false, ...(implementation === "encrypted" ? { encryption: { key } } : {}), ...options });
}

export const freshName = (): string => `test ${crypto.randomUUID()}`;

/** A saver on an empty database of its own, for tests that need many in a row. */
export async function withSaver<T>(implementation: Implementation, use: (saver: IndexedDBSaver, name: string) => Promise<T>): Promise<T> {
  const name = freshName();
  const saver = openSaver(implementation, { name });
  try {
    return await use(saver, name);
  } finally {
    await saver.close();
    await deleteDatabase(name);
  }
}

interface Fixtures {
  /** The name of a database that does not exist yet; deleted after the test, which fails if a connection was left open. */
  database: string;
  /** Another saver, on the test's database unless told otherwise; closed after the test. */
  open: (options?: SaverOptions) => IndexedDBSaver;
  opened: Opened;
  /** A saver on the test's database. */
  saver: IndexedDBSaver;
  /** Closes every saver of the test and opens one that remembers nothing. */
  reopen: () => Promise<IndexedDBSaver>;
}

class Opened {
  readonly #implementation: Implementation;
  readonly #database: string;
  readonly #savers = new Set<IndexedDBSaver>();

  constructor(implementation: Implementation, database: string) {
    this.#implementation = implementation;
    this.#database = database;
  }

  open(options: SaverOptions = {}): IndexedDBSaver {
    const saver = openSaver(this.#implementation, { name: this.#database, ...options });
    this.#savers.add(saver);
    return saver;
  }

  async closeAll(): Promise<void> {
    const open = [...this.#savers];
    this.#savers.clear();
    await Promise.all(open.map((saver) => saver.close()));
  }
}

function fixtures(implementation: Implementation) {
  return test.extend<Fixtures>({
    database: async ({ task }, use) => {
      const database = `${task.name} ${freshName()}`;
      await use(database);
      await deleteDatabase(database);
    },
    opened: async ({ database }, use) => {
      const opened = new Opened(implementation, database);
      await use(opened);
      await opened.closeAll();
    },
    open: async ({ opened }, use) => {
      await use((options) => opened.open(options));
    },
    reopen: async ({ opened }, use) => {
      await use(async () => {
        await opened.closeAll();
        return opened.open();
      });
    },
    saver: async ({ open }, use) => {
      await use(open());
    },
  });
}

/** A test with a database of its own, for what is the same wherever the engine runs. */
export const databaseTest = fixtures("worker");

/** A part of the specification, checked against every implementation. */
export function contract(theme: string, body: (it: ReturnType<typeof fixtures>, implementation: Implementation) => void, over = implementations): void {
  describe.each(over)(`${theme} (%s)`, (implementation) => {
    if (implementation === "worker" && !inNode) keepWorker();
    body(fixtures(implementation), implementation);
  });
}

/** Keeps the page's common worker alive between the tests: to start one for each test takes longer than the tests. */
function keepWorker(): void {
  const name = freshName();
  const keeper = openSaver("worker", { name });
  beforeAll(async () => {
    await keeper.getTuple({ configurable: { thread_id: "none" } });
  });
  afterAll(async () => {
    await keeper.close();
    await deleteDatabase(name);
  });
}
