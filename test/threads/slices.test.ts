import { expect } from "vitest";
import { aggregate, delta, lastValue, type Message, Overwrite, removeMessage, ThreadStore } from "../../src/threads/index.ts";
import { contentRowsRead } from "../support/rows-read.ts";
import { errorOf } from "../support/errors.ts";
import { chat, say, threadContract } from "../support/thread-stores.ts";

const numbers = delta((state: readonly number[], writes: readonly number[]) => [...state, ...writes], { snapshotFrequency: 4 });
const list = aggregate((state: readonly number[], write: number) => [...state, write], { initial: () => [] });
const contents = (messages: readonly Message[]) => messages.map(({ content }) => content);

threadContract("A slice", (it) => {
  it("is a window from the end, the start, or before a position", async ({ threads }) => {
    const thread = threads.thread("t");
    const id = await thread.append({ messages: Array.from({ length: 10 }, (_, index) => say(String(index))) });
    expect(await thread.slice("messages", { last: 3 })).toStrictEqual({ items: [say("7"), say("8"), say("9")], start: 7, total: 10, at: id });
    expect(await thread.slice("messages", { last: 3, before: 7 })).toMatchObject({ items: [say("4"), say("5"), say("6")], start: 4, total: 10 });
    expect(await thread.slice("messages", { last: 3, before: 1 })).toMatchObject({ items: [say("0")], start: 0 });
    expect(await thread.slice("messages", { first: 2 })).toMatchObject({ items: [say("0"), say("1")], start: 0, total: 10 });
    expect(await thread.slice("messages", { last: 50 })).toMatchObject({ start: 0, total: 10 });
    expect(await thread.slice("messages", { last: 0 })).toMatchObject({ items: [], start: 10, total: 10 });
  });

  it("is the same as a part of the value, after any edits, at any checkpoint", async ({ threads }) => {
    const thread = threads.thread("t");
    const ids: string[] = [];
    for (let index = 0; index < 40; index++) {
      const messages = index % 7 === 3 ? [removeMessage(String(index - 2)), say(String(index - 1), "changed")] : say(String(index));
      ids.push(await thread.append({ messages }));
    }
    for (const at of ids) {
      const { messages } = await thread.values({ at });
      expect(await thread.slice("messages", { last: 5, at })).toStrictEqual({ items: messages.slice(-5), start: Math.max(0, messages.length - 5), total: messages.length, at });
      expect((await thread.slice("messages", { first: 3, at })).items).toStrictEqual(messages.slice(0, 3));
    }
  });

  it("of a channel that is rebuilt is the same", async ({ open }) => {
    const thread = open({ channels: { numbers, list, none: numbers } }).thread("t");
    for (let number = 0; number < 10; number++) await thread.append({ numbers: number, list: number });
    expect(await thread.slice("numbers", { last: 3 })).toMatchObject({ items: [7, 8, 9], start: 7, total: 10 });
    expect(await thread.slice("numbers", { last: 3, before: 5 })).toMatchObject({ items: [2, 3, 4], start: 2, total: 10 });
    expect(await thread.slice("numbers", { first: 2 })).toMatchObject({ items: [0, 1], start: 0, total: 10 });
    expect(await thread.slice("list", { last: 2 })).toMatchObject({ items: [8, 9], start: 8, total: 10 });
    expect(await thread.slice("none", { last: 2 })).toMatchObject({ items: [], start: 0, total: 0 });
  });

  it("needs a position that a list can have", async ({ open }) => {
    const thread = open({ channels: { numbers, list } }).thread("t");
    for (let number = 0; number < 3; number++) await thread.append({ numbers: number, list: number });
    for (const before of [-1, 1.5, Number.NaN]) {
      for (const name of ["numbers", "list"] as const) expect((await errorOf(thread.slice(name, { last: 2, before }))).code).toBe("invalid-config");
    }
  });

  it("needs a list, and a number", async ({ open }) => {
    const thread = open({ channels: { name: lastValue<string>() } }).thread("t");
    await thread.append({ name: "x" });
    expect((await errorOf(thread.slice("name", { last: 2 }))).code).toBe("invalid-config");
    expect((await errorOf(thread.slice("name", { last: -1 }))).code).toBe("invalid-config");
  });

  it("reads the rows of the window, and no others", async ({ threads, database }) => {
    const thread = threads.thread("t");
    const text = "x".repeat(400);
    for (let step = 0; step < 20; step++) await thread.append({ messages: Array.from({ length: 50 }, (_, index) => say(`${step}.${index}`, text)) });
    await threads.close();
    await using again = new ThreadStore({ name: database, worker: false, channels: chat });
    const fresh = again.thread("t");
    await fresh.history({ limit: 1 }).next();
    expect(await contentRowsRead(() => fresh.slice("messages", { last: 50 }))).toBeLessThanOrEqual(4);
    expect(await contentRowsRead(() => fresh.slice("messages", { last: 32, before: 500 }))).toBeLessThanOrEqual(4);
    expect(await contentRowsRead(() => fresh.values())).toBeGreaterThan(20);
    expect(contents((await fresh.slice("messages", { last: 1000 })).items)).toStrictEqual(Array.from({ length: 1000 }, () => text));
  });
});

threadContract("A message", (it) => {
  it("without an id is added to a list that is not read for it", async ({ threads, database }) => {
    const text = "x".repeat(400);
    await threads.thread("t").append({ messages: Array.from({ length: 500 }, (_, index) => say(String(index), text)) });
    await threads.close();
    await using again = new ThreadStore({ name: database, worker: false, channels: chat });
    const thread = again.thread("t");
    expect(await contentRowsRead(() => thread.append({ messages: [{ role: "user", content: "new" }] }))).toBeLessThanOrEqual(1);
    await thread.append([{ messages: { role: "user", content: "newer" } }, { messages: [{ content: "newest" }] }]);
    await thread.append({ messages: [say("7", "changed"), removeMessage("8")] });
    await thread.append({ messages: { content: "last" } });
    const expected = [...Array.from({ length: 500 }, (_, index) => (index === 7 ? "changed" : text)).toSpliced(8, 1), "new", "newer", "newest", "last"];
    expect(contents((await thread.values()).messages)).toStrictEqual(expected);
    expect(contents((await thread.slice("messages", { last: 4 })).items)).toStrictEqual(["new", "newer", "newest", "last"]);
  });

  it("without an id comes after any others, in small lists and large ones, forks and overwrites", async ({ threads }) => {
    const thread = threads.thread("t");
    await thread.append({ messages: { content: 1 } });
    const two = await thread.append({ messages: [{ content: 2 }] });
    await thread.append({ messages: new Overwrite([{ content: 3 }, { content: 4 }]) });
    await thread.append({ messages: { content: 5 } });
    await thread.append({ messages: [] });
    const fork = thread.fork(two);
    for (let content = 6; content < 60; content++) await fork.append({ messages: { content } });
    expect(contents((await thread.values({ at: two })).messages)).toStrictEqual([1, 2]);
    expect(contents((await fork.values()).messages)).toStrictEqual([1, 2, ...Array.from({ length: 54 }, (_, index) => index + 6)]);
    expect(contents((await threads.thread("t").fork(thread.head!).values()).messages)).toStrictEqual([3, 4, 5]);
  });

  it("is stored once, and a step on a long thread is no larger than on a short one", async ({ open, database }) => {
    const store = open({ channels: chat });
    const thread = store.thread("t");
    for (let step = 0; step < 200; step++) await thread.append({ messages: say(String(step), `${step} `.repeat(50)) });
    const sizes = await rowSizes(database);
    expect(sizes.content).toBeLessThan(200 * 260);
    expect(sizes.checkpoints / 200).toBeLessThan(400);
  });
});

/** Bytes of the rows of the stores. */
async function rowSizes(database: string): Promise<{ content: number; checkpoints: number }> {
  const opened = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(database);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error("not opened", { cause: request.error }));
  });
  const sizeOf = (store: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const request = opened.transaction(store).objectStore(store).getAll();
      request.onsuccess = () => resolve((request.result as (Uint8Array | { body: Uint8Array })[]).reduce((sum, row) => sum + ("body" in row ? row.body : row).length, 0));
      request.onerror = () => reject(new Error("not read", { cause: request.error }));
    });
  try {
    return { content: await sizeOf("content"), checkpoints: await sizeOf("checkpoints") };
  } finally {
    opened.close();
  }
}
