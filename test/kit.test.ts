import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import type { IndexedDBSaver } from "../src/index.ts";
import { allImplementations, freshName, openSaver } from "./support/contract.ts";
import { deleteDatabase } from "./support/raw-database.ts";

for (const implementation of allImplementations) {
  const names = new Map<IndexedDBSaver, string>();
  const initializer = {
    checkpointerName: `IndexedDBSaver (${implementation})`,
    createCheckpointer() {
      const name = freshName();
      const saver = openSaver(implementation, { name });
      names.set(saver, name);
      return saver;
    },
    async destroyCheckpointer(saver: IndexedDBSaver) {
      await saver.close();
      await deleteDatabase(names.get(saver) ?? "");
    },
  };
  validate(initializer);
  deltaChannelHistoryTests(initializer);
}
