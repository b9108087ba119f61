import { type BaseCheckpointSaver, MemorySaver } from "@langchain/langgraph/web";
import { IndexedDBSaver } from "../../src/index.ts";
import { IndexedDBRows } from "./indexeddb-rows.ts";
import type { PageMeter } from "./metered.ts";
import { RowSaver } from "./row-saver.ts";
import { SqliteRows } from "./sqlite-rows.ts";

export type SaverName = "memory" | "full-copy" | "sqlite" | "inline" | "worker" | "encrypted";

export type Saver = BaseCheckpointSaver & { close?(): Promise<void> };

export const databaseName = "bench";

/** The same on every page. Deriving or fetching one is the application's, and not measured. */
const key = await crypto.subtle.importKey("raw", new Uint8Array(32), "AES-GCM", false, ["encrypt", "decrypt"]);

/** With a meter, what its worker writes is counted too: by a worker of ours that has the counting before it. */
export function openSaver(name: SaverName, meter?: PageMeter): Saver {
  switch (name) {
    case "memory":
      return new MemorySaver();
    case "full-copy":
      return new RowSaver(new IndexedDBRows(databaseName));
    case "sqlite":
      return new RowSaver(new SqliteRows(meter?.workerName() ?? "unmetered"));
    case "inline":
      return new IndexedDBSaver({ name: databaseName, worker: false });
    case "worker":
      return new IndexedDBSaver({ name: databaseName, worker: meter === undefined ? true : () => meteredWorker(meter) });
    case "encrypted":
      return new IndexedDBSaver({ name: databaseName, worker: meter === undefined ? true : () => meteredWorker(meter), encryption: { key } });
  }
}

const meteredWorker = (meter: PageMeter) =>
  new Worker(new URL("./metered-worker.ts", import.meta.url), { type: "module", name: meter.workerName() });
