import type { BaseCheckpointSaver } from "@langchain/langgraph/web";
import { encodedBytes } from "./rows.ts";
import { wrap } from "./wrap.ts";

export interface Tally {
  readonly what: string;
  readonly count: number;
  /** Milliseconds from call to settled, or bytes put. */
  readonly sum: number;
}

export class Tallies {
  readonly #entries = new Map<string, { count: number; sum: number }>();

  add(what: string, amount: number): void {
    const entry = this.#entries.get(what) ?? { count: 0, sum: 0 };
    entry.count += 1;
    entry.sum += amount;
    this.#entries.set(what, entry);
  }

  take(): Tally[] {
    const taken = [...this.#entries].map(([what, entry]) => ({ what, ...entry }));
    this.#entries.clear();
    return taken.sort((a, b) => b.sum - a.sum || b.count - a.count);
  }
}

const methods = ["getTuple", "put", "putWrites", "getDeltaChannelHistory"] as const;

/** Times every call that a graph makes on `saver`, in place. Calls overlap, so their sum may pass the time of the turn. */
export function traceCalls(saver: BaseCheckpointSaver): Tallies {
  const tallies = new Tallies();
  for (const method of methods) {
    const original: (...args: never[]) => Promise<unknown> = saver[method].bind(saver);
    const timed = async (...args: never[]): Promise<unknown> => {
      const before = performance.now();
      try {
        return await original(...args);
      } finally {
        tallies.add(method, performance.now() - before);
      }
    };
    Object.defineProperty(saver, method, { value: timed });
  }
  return tallies;
}

const requests = ["get", "getKey", "getAll", "getAllKeys", "count", "openCursor", "openKeyCursor", "put", "add", "delete"] as const;

/** Counts every IndexedDB request and transaction of this page from now on, with the bytes of what is put. */
export function traceRequests(): Tallies {
  const tallies = new Tallies();
  wrap(IDBDatabase.prototype, "transaction", (_, [stores, mode]) =>
    tallies.add(`transaction ${mode === "readwrite" ? mode : "readonly"} ${[stores].flat().join("+")}`, 0),
  );
  for (const request of requests) {
    wrap(IDBObjectStore.prototype, request, (store, [value, key]) => {
      const stored = request === "put" || request === "add";
      tallies.add(`${store.name}.${request}`, stored ? encodedBytes(value) + encodedBytes(key) : 0);
    });
    if (request in IDBIndex.prototype) {
      wrap(IDBIndex.prototype, request as "get", (index) => tallies.add(`${index.objectStore.name}/${index.name}.${request}`, 0));
    }
  }
  wrap(IDBCursor.prototype, "continue", (cursor) => {
    const { source } = cursor;
    tallies.add(`${"objectStore" in source ? `${source.objectStore.name}/${source.name}` : source.name} cursor.continue`, 0);
  });
  return tallies;
}
