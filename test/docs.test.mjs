// The guides' snippets are run, in order: each sees what the ones before it in its guide declared.
import "fake-indexeddb/auto";
import * as messages from "@langchain/core/messages";
import * as langgraph from "@langchain/langgraph/web";
import * as dexie from "dexie";
import { IDBFactory } from "fake-indexeddb";
import * as keyval from "idb-keyval";
import { readFileSync } from "node:fs";
import { beforeEach, expect, it } from "vitest";
import * as archive from "../src/archive/index.ts";
import * as encryption from "../src/encryption/index.ts";
import * as saver from "../src/index.ts";
import * as threads from "../src/threads/index.ts";
import * as worker from "../src/worker/host.ts";
import { ChannelWorker } from "./support/channel-worker.ts";
import { run, snippetsOf } from "./support/snippets.mjs";

/** @type {Record<string, object>} */
const modules = {
  "@langchain/core/messages": messages,
  "@langchain/langgraph/web": langgraph,
  dexie,
  "idb-keyval": keyval,
  "langgraph-checkpoint-indexeddb": saver,
  "langgraph-checkpoint-indexeddb/archive": archive,
  "langgraph-checkpoint-indexeddb/encryption": encryption,
  "langgraph-checkpoint-indexeddb/threads": threads,
  "langgraph-checkpoint-indexeddb/worker": worker,
};

// Not every release of Node has Web Locks. Here nobody else asks for one.
if (!("navigator" in globalThis)) Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
const locks = { request: async (/** @type {(() => unknown)[]} */ ...args) => args.at(-1)?.(), query: async () => ({ held: [], pending: [] }) };
if (!("locks" in navigator)) Object.defineProperty(navigator, "locks", { value: locks });

// Guides call their databases alike: each finds none.
beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

/**
 * Runs a guide, and gives what it declared.
 * @param {string} guide
 * @param {Record<string, unknown>} [given] what its reader has
 */
async function follow(guide, given = {}) {
  /** @type {string[]} */
  const printed = [];
  const console = { log: (/** @type {unknown[]} */ ...parts) => void printed.push(parts.join(" ")) };
  /** @type {Record<string, any>} */
  const scope = { modules: { ...modules }, console, ...given };
  const snippets = snippetsOf(guide);
  expect(snippets.length).toBeGreaterThan(2);
  for (const snippet of snippets) await run(snippet, scope);
  return { scope, printed };
}

it("a chat without LangGraph", async () => {
  const { scope, printed } = await follow("docs/chat.md", { answerTo: async () => "One that survives." });
  const { messages, model, end, then, newer, branches, content, copies } = scope;
  expect(messages.map((/** @type {{ role: string }} */ { role }) => role)).toEqual(["user", "assistant"]);
  expect(model).toBe("large");
  expect(end.items).toEqual(messages);
  expect(then.messages).toEqual(messages.slice(0, 1));
  expect(branches).toHaveLength(2);
  expect((await newer.thread("thread-1").values()).messages[0].parts).toEqual(["What is a durable thread?"]);
  expect(content).toBeLessThan(copies);
  expect(printed.length).toBeGreaterThan(2);
  scope["stop"]();
  await Promise.all([scope["threads"].close(), newer.close()]);
});

it("the chat in one page is the application that the consumer tests run", () => {
  const [, file = ""] = /<!-- example: (\S+) -->\n\n```js/.exec(readFileSync("docs/chat.md", "utf8")) ?? [];
  const example = readFileSync(file, "utf8");
  expect(readFileSync("docs/chat.md", "utf8")).toContain(`\`\`\`js\n${example}\`\`\`\n`);
  expect(example.trimEnd().split("\n").length).toBeLessThan(40);
});

it("with a LangGraph agent", async () => {
  const { scope, printed } = await follow("docs/langgraph.md");
  expect(scope["messages"].map((/** @type {messages.BaseMessage} */ { text }) => text)).toEqual(["hello", "Hello!"]);
  expect(scope["items"]).toHaveLength(scope["total"]);
  expect(printed).toContain("human hello");
  scope["stop"]();
  await Promise.all([scope["saver"].close(), scope["viewer"].close()]);
});

it("backup", async () => {
  const { scope, printed } = await follow("docs/backup.md");
  expect(scope["report"].threads).toMatchObject([{ id: "thread-1", outcome: "unchanged" }]);
  expect(scope["restored"]).toStrictEqual(scope["trial"]);
  expect((await scope["threads"].list()).map((/** @type {threads.ThreadInfo} */ { id }) => id).toSorted()).toEqual(["thread-1", "thread-1, restored"]);
  expect(scope["reason"]).toBe("The user has changed his mind.");
  expect(scope["markdown"]).toContain("**user**\n\nWill this be here tomorrow?\n");
  expect(JSON.parse(scope["json"]).steps).toHaveLength(1);
  expect(scope["inspection"].threads).toMatchObject([{ id: "thread-1", namespaces: [{ name: "", checkpoints: 1, branches: 1 }] }]);
  expect(printed.at(-1)).toBe(`${scope["inspection"].threads[0].namespaces[0].newest} `);
  await scope["threads"].close();
});

it("encryption at rest", async () => {
  const before = new saver.IndexedDBSaver({ name: "my-old-agent" });
  await before.threads.update("thread-1", { title: "Before" });
  await before.close();
  const { scope } = await follow("docs/encryption.md", { passphrase: "correct horse battery staple" });
  expect(scope["isRight"]).toBe(false);
  expect(await scope["encrypted"].threads.list()).toMatchObject([{ id: "thread-1", title: "Before" }]);
  await expect(scope["saver"].threads.list()).rejects.toMatchObject({ code: "wrong-key" });
  expect(await scope["again"].threads.list()).toMatchObject([{ title: "Only for me" }]);
  expect(await scope["quiet"].threads.list()).toEqual([]);
  for (const name of ["saver", "quiet", "old", "encrypted", "again"]) await scope[name].close();
}, 30_000);

it("reducers in the worker", async () => {
  /** @type {{ channels?: import("../src/threads/index.ts").Channels }} */
  const served = {};
  const serve = (/** @type {worker.ServeOptions} */ { channels }) => void Object.assign(served, { channels });
  class Worker {
    constructor() {
      return new ChannelWorker((endpoint) => worker.serve({ endpoint, ...served }));
    }
  }
  const local = {};
  const given = { Worker, modules: { ...modules, "./channels.ts": local, "langgraph-checkpoint-indexeddb/worker": { serve } } };
  const snippets = snippetsOf("docs/worker.md");
  /** @type {Record<string, any>} */
  const scope = { ...given, console: { log: (/** @type {object} */ votes) => expect(votes).toEqual({ yes: 2, no: 1 }) } };
  for (const snippet of snippets) {
    await run(snippet, scope);
    Object.assign(local, { channels: scope["channels"] });
  }
  expect(served.channels).toBe(scope["channels"]);
  expect(await scope["poll"].values()).toEqual({ messages: [], votes: { yes: 2, no: 1 } });
  await scope["threads"].close();
});

it("what stays, and what goes", async () => {
  const { scope, printed } = await follow("docs/retention.md");
  expect(scope["report"]).toEqual(scope["plan"]);
  expect(scope["report"].threads).toMatchObject([{ id: "thread-1", checkpoints: 2, deleted: false }]);
  expect(scope["messages"].map((/** @type {{ content: string }} */ { content }) => content)).toEqual(["one", "two", "three", "four"]);
  expect(scope["pinned"].map((/** @type {{ id: string }} */ { id }) => id)).toEqual(["thread-1"]);
  expect(scope["left"]).toMatchObject({ checkpoints: 1, pinned: false });
  expect(printed).toEqual([expect.stringMatching(/^thread-1: 2 checkpoints, -?\d+ bytes$/)]);
});

it("from a history of your own", async () => {
  const old = new dexie.Dexie("old-chat");
  old.version(1).stores({ chats: "id", messages: "++key, chatId" });
  await old.table("chats").add({ id: "d", title: "By Dexie", pinned: true });
  await old.table("messages").bulkAdd([{ chatId: "d", role: "user", content: "one" }, { chatId: "d", role: "assistant", content: "two" }]);
  old.close();
  await keyval.set("chat:k", { title: "By idb-keyval", messages: [{ id: "1", role: "user", content: "hi" }] });
  await keyval.set("theme", "dark");
  const { scope } = await follow("docs/migrating.md");
  const moved = scope["threads"];
  expect((await moved.thread("k").values()).messages).toEqual([{ id: "1", role: "user", content: "hi" }]);
  expect((await moved.thread("d").values()).messages).toEqual([{ id: "d-1", role: "user", content: "one" }, { id: "d-2", role: "assistant", content: "two" }]);
  expect(await moved.get("k")).toMatchObject({ title: "By idb-keyval" });
  expect(await moved.get("d")).toMatchObject({ title: "By Dexie", metadata: { pinned: true } });
  expect(await keyval.keys()).toEqual(["theme"]);
  await moved.close();
});
