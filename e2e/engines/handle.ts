import { CheckpointError, IndexedDBSaver } from "../../src/index.ts";
import { at, put, valuesAt } from "../../test/support/checkpoints.ts";

/* A page whose saver the test holds. Which build of the package it has stands in the address of its script. */

const worker = new URL(import.meta.url).pathname.replace("handle", "host");
const saver = new IndexedDBSaver({ name: "handled", worker: () => new Worker(worker, { type: "module" }) });
let last = 0;
let writing = false;
let held: IDBDatabase | undefined;

/** What a call ended with: the code of its error, or `"done"`. */
async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    return error instanceof CheckpointError ? error.code : String(error);
  }
}

async function putNext(thread: string): Promise<void> {
  const n = last + 1;
  await put(saver, last === 0 ? at(thread) : at(thread, "", last), n, { values: { list: Array.from({ length: n }, (_, index) => `item ${index}`) } });
  last = n;
}

const handle = {
  /** One more step of a thread. */
  put: (thread: string) => outcome(putNext(thread)),
  /** How many steps of a thread are there, all of which are what they were. */
  async count(thread: string): Promise<number> {
    const { list } = (await valuesAt(saver, at(thread))) as { list: string[] };
    if (list.some((item, index) => item !== `item ${index}`)) throw new Error(JSON.stringify(list));
    return list.length;
  },
  /** Writes as fast as it can until it is told to stop. */
  write(thread: string): void {
    writing = true;
    void (async () => {
      while (writing) await putNext(thread);
    })();
  },
  stop(): number {
    writing = false;
    return last;
  },
  get written(): number {
    return last;
  },
  problems: async () => (await saver.verify()).problems,
  /** Takes the lock of a thread, for good. */
  lock: (thread: string) => new Promise<void>((taken) => void saver.threads.thread(thread).withLock(() => new Promise(() => taken()))),
  /** Tries to, for so long. */
  tryLock: (thread: string, ms: number) =>
    saver.threads.thread(thread).withLock(async () => "taken", { signal: AbortSignal.timeout(ms) }).catch((error: Error) => error.name),
  /** Holds a connection that is not closed when the browser asks for that, and says on which format. */
  hold: () =>
    new Promise<number>((resolve, reject) => {
      const request = indexedDB.open("handled");
      request.onsuccess = () => {
        held = request.result;
        resolve(held.version);
      };
      request.onerror = () => reject(request.error ?? new Error("not opened"));
    }),
  /** Holds a transaction over all that is stored, as long as the page is awake or frozen. */
  occupy: () =>
    new Promise<void>((resolve, reject) => {
      const request = indexedDB.open("handled");
      request.onsuccess = () => {
        const tx = request.result.transaction(request.result.objectStoreNames, "readwrite");
        const askAgain = (): void => {
          tx.objectStore("meta").count().onsuccess = askAgain;
          resolve();
        };
        askAgain();
      };
      request.onerror = () => reject(request.error ?? new Error("not opened"));
    }),
  close: () => saver.close(),
};

declare global {
  var handle: typeof import("./handle.ts").handle;
}

export { handle };
globalThis.handle = handle;
