import { IndexedDBSaver } from "langgraph-checkpoint-indexeddb";
import { turn } from "./agent.js";

void turn(new IndexedDBSaver({ worker: () => new Worker("/host.js", { type: "module" }) }));
