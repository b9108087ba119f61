import { IndexedDBSaver } from "langgraph-checkpoint-indexeddb";
import { turn } from "./agent.js";

/** @typedef {{ createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): URL } }} Policies */
const { trustedTypes } = /** @type {{ trustedTypes: Policies }} */ (/** @type {unknown} */ (globalThis));
const policy = trustedTypes.createPolicy("app", { createScriptURL: (url) => url });

void turn(new IndexedDBSaver({ worker: () => new Worker(policy.createScriptURL("/host.js"), { type: "module" }) }));
