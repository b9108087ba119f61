// The README's snippets are run, in order: each sees what the ones before it declared, and what a reader has already.
import "fake-indexeddb/auto";
import * as messages from "@langchain/core/messages";
import * as testing from "@langchain/core/utils/testing";
import * as langgraph from "@langchain/langgraph/web";
import { expect, it } from "vitest";
import * as saver from "../src/index.ts";
import * as threads from "../src/threads/index.ts";
import { run, snippetsOf } from "./support/snippets.mjs";

/** @type {Record<string, object>} */
const modules = {
  "@langchain/core/messages": messages,
  "@langchain/core/utils/testing": testing,
  "@langchain/langgraph/web": langgraph,
  "langgraph-checkpoint-indexeddb": saver,
  "langgraph-checkpoint-indexeddb/threads": threads,
};
const snippets = snippetsOf("README.md");

/** @type {Record<string, any>} What a reader has, and what the snippets add to it. */
const scope = {
  modules,
  console: { log: () => undefined },
  Worker: class extends EventTarget {},
  builder: new langgraph.StateGraph(langgraph.MessagesAnnotation)
    .addNode("model", () => ({ messages: [] }))
    .addEdge("__start__", "model")
    .addEdge("model", "__end__"),
  serverSaver: new langgraph.MemorySaver(),
  askToDeleteThreads: async () => undefined,
};

it("has snippets that run", async () => {
  expect(snippets.length).toBeGreaterThan(5);
  const [lead, first, ...others] = snippets;
  await run(lead ?? "", scope);
  await run(first ?? "", scope);
  scope["olderStep"] = await scope["graph"].getState(scope["thread"]);
  scope["input"] = { messages: [new messages.HumanMessage("again")] };
  expect(scope["olderStep"].values.messages.map((/** @type {{ text: string }} */ message) => message.text)).toEqual(["hello", "Hello!"]);
  for (const snippet of others) await run(snippet, scope);
  expect(scope["money"].decode(scope["money"].encode({ cents: 5 })).cents).toBe(5);
}, 30_000);
