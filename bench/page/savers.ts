import { type BaseCheckpointSaver, MemorySaver } from "@langchain/langgraph/web";
import { IndexedDBSaver } from "../../src/index.ts";
import { FullCopySaver } from "./full-copy-saver.ts";

/** A saver under measurement. Its database is named `databaseName`; one that has none keeps nothing over a reload. */
export type SaverName = "memory" | "full-copy" | "inline" | "worker";

type Closable = BaseCheckpointSaver & { close?(): Promise<void> };

export const databaseName = "bench";

export function openSaver(name: SaverName): Closable {
  switch (name) {
    case "memory":
      return new MemorySaver();
    case "full-copy":
      return new FullCopySaver(databaseName);
    case "inline":
      return new IndexedDBSaver({ name: databaseName, worker: false });
    case "worker":
      return new IndexedDBSaver({ name: databaseName, worker: true });
  }
}
