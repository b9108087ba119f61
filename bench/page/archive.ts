import { delta, messagesReducer, ThreadStore } from "../../src/threads/index.ts";
import { databaseName } from "./savers.ts";

const channels = { messages: delta(messagesReducer) };
const open = (name: string) => new ThreadStore({ name, channels });

const threadBytes = 1_000_000;
const messageBytes = 10_000;

export interface Transferred {
  readonly ms: number;
  readonly fileBytes: number;
}

/** So many threads, each a megabyte in messages that no compression makes much smaller. */
export async function fillThreads(threads: number): Promise<void> {
  await using store = open(databaseName);
  for (let n = 0; n < threads; n += 1) {
    const thread = store.thread(`thread-${n}`);
    for (let said = 0; said < threadBytes; said += 10 * messageBytes) {
      await thread.append({ messages: Array.from({ length: 10 }, () => ({ role: "user", content: noise(messageBytes) })) });
    }
  }
}

function noise(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => String.fromCharCode(32 + (byte % 95))).join("");
}

/** Reads the file of all threads, and keeps nothing of it. */
export async function exportAll(): Promise<Transferred> {
  await using store = open(databaseName);
  const before = performance.now();
  let fileBytes = 0;
  const count = new WritableStream<Uint8Array>({ write: (part) => void (fileBytes += part.length) });
  await store.export().pipeTo(count); // WebKit has no loops over streams
  return { ms: performance.now() - before, fileBytes };
}

/** Imports all threads into another database, while they are exported. */
export async function copyAll(): Promise<Transferred> {
  await using store = open(databaseName);
  await using copy = open(`${databaseName}-copy`);
  const before = performance.now();
  let fileBytes = 0;
  const { threads } = await copy.import(store.export({ onProgress: ({ bytes }) => (fileBytes = bytes) }));
  const time = performance.now() - before;
  const { length } = await store.list({ limit: Number.MAX_SAFE_INTEGER });
  if (threads.length !== length) throw new Error(`of ${length} threads ${threads.length} were imported`);
  return { ms: time, fileBytes };
}
