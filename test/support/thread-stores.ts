import { describe, test } from "vitest";
import { type Channels, delta, lastValue, type Message, messagesReducer, ThreadStore, type ThreadStoreOptions } from "../../src/threads/index.ts";
import { freshName, type Implementation, implementations, workerOption } from "./contract.ts";
import { deleteDatabase } from "./raw-database.ts";

/** A chat's channels. */
export const chat = { messages: delta(messagesReducer), title: lastValue<string>() };

export const say = (id: string, content = id): Message => ({ id, role: "user", content });

type Options<C extends Channels> = Omit<ThreadStoreOptions<C>, "name"> & { readonly name?: string };

interface Fixtures {
  /** The name of a database that does not exist yet; deleted after the test. */
  database: string;
  /** A store on the test's database unless told otherwise; closed after the test. */
  open: <C extends Channels>(options: Options<C>) => ThreadStore<C>;
  /** A store with a chat's channels. */
  threads: ThreadStore<typeof chat>;
}

function fixtures(implementation: Implementation) {
  return test.extend<Fixtures>({
    database: async ({ task }, use) => {
      const database = `${task.name} ${freshName()}`;
      await use(database);
      await deleteDatabase(database);
    },
    open: async ({ database }, use) => {
      const opened: { close(): Promise<void> }[] = [];
      await use((options) => {
        const store = new ThreadStore({ name: database, worker: implementation === "inline" ? false : workerOption, ...options });
        opened.push(store);
        return store;
      });
      await Promise.all(opened.map((store) => store.close()));
    },
    threads: async ({ open }, use) => {
      await use(open({ channels: chat }));
    },
  });
}

/** A part of the specification of the thread store, checked against every implementation. */
export function threadContract(theme: string, body: (it: ReturnType<typeof fixtures>, implementation: Implementation) => void): void {
  describe.each(implementations)(`${theme} (%s)`, (implementation) => {
    body(fixtures(implementation), implementation);
  });
}
