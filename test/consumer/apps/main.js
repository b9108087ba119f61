import { IndexedDBSaver } from "langgraph-checkpoint-indexeddb";
import { turn } from "./agent.js";

await turn(new IndexedDBSaver());
