import { describe, test } from "vitest";
import { IndexedDBSaver } from "../../src/index.ts";
import { ChannelWorker } from "./channel-worker.ts";
import { deleteDatabase } from "./raw-database.ts";

export type SaverOptions = NonNullable<ConstructorParameters<typeof IndexedDBSaver>[0]>;

/** Where the engine runs: beside the saver, or behind a message boundary. */
export type Implementation = "inline" | "worker";
export const implementations: readonly Implementation[] = ["inline", "worker"];

export const inNode = typeof Worker === "undefined";

/** In a browser the package's own Worker; in Node the same engine at the other end of a MessageChannel. */
const workerOption = inNode ? () => new ChannelWorker().asWorker() : true;

export function openSaver(implementation: Implementation, options: SaverOptions): IndexedDBSaver {
  return new IndexedDBSaver({ worker: implementation === "inline" ? false : workerOption, ...options });
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
  /** A saver on the test's database. */
  saver: IndexedDBSaver;
}

function fixtures(implementation: Implementation) {
  return test.extend<Fixtures>({
    database: async ({ task }, use) => {
      const database = `${task.name} ${freshName()}`;
      await use(database);
      await deleteDatabase(database);
    },
    open: async ({ database }, use) => {
      const opened: IndexedDBSaver[] = [];
      await use((options = {}) => {
        const saver = openSaver(implementation, { name: database, ...options });
        opened.push(saver);
        return saver;
      });
      await Promise.all(opened.map((saver) => saver.close()));
    },
    saver: async ({ open }, use) => {
      await use(open());
    },
  });
}

/** A part of the specification, checked against every implementation. */
export function contract(theme: string, body: (it: ReturnType<typeof fixtures>, implementation: Implementation) => void): void {
  describe.each(implementations)(`${theme} (%s)`, (implementation) => body(fixtures(implementation), implementation));
}
