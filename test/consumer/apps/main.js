import "./strict-zod.js";
import { IndexedDBSaver } from "langgraph-checkpoint-indexeddb";
import { turn } from "./agent.js";

void turn(new IndexedDBSaver());
