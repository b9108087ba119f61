import { IndexedDBSaver } from "langgraph-checkpoint-indexeddb";
import { delta, messagesReducer } from "langgraph-checkpoint-indexeddb/threads";
// oxlint-disable-next-line import/default -- Vite makes one for this query.
import workerUrl from "langgraph-checkpoint-indexeddb/worker?worker&url";
import { trustedScriptUrl } from "./trustedScript.ts";

/** The page makes the worker itself, since its policy wants a trusted URL for it. */
export const startWorker = (): Worker => new Worker(trustedScriptUrl(workerUrl), { type: "module", name: "checkpoints" });

/** Keeps the checkpoints. */
export const saver = new IndexedDBSaver({
  name: "demo",
  channels: { messages: delta(messagesReducer) },
  worker: startWorker,
});
