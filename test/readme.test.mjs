// The README's snippets are run, in order: each sees what the ones before it declared, and what a reader has already.
import "fake-indexeddb/auto";
import * as messages from "@langchain/core/messages";
import * as testing from "@langchain/core/utils/testing";
import * as langgraph from "@langchain/langgraph/web";
import { transform } from "esbuild";
import { readFileSync } from "node:fs";
import { compileFunction } from "node:vm";
import { expect, it } from "vitest";
import * as saver from "../src/index.ts";

/** @type {Record<string, object>} */
const modules = {
  "@langchain/core/messages": messages,
  "@langchain/core/utils/testing": testing,
  "@langchain/langgraph/web": langgraph,
  "langgraph-checkpoint-indexeddb": saver,
};
const snippets = [...readFileSync("README.md", "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? "");

/** @type {Record<string, any>} What a reader has, and what the snippets add to it. */
const scope = {
  modules,
  console: { log: () => undefined },
  Worker: class extends EventTarget {},
  builder: new langgraph.StateGraph(langgraph.MessagesAnnotation)
    .addNode("model", () => ({ messages: [] }))
    .addEdge("__start__", "model")
    .addEdge("model", "__end__"),
  askToDeleteThreads: async () => undefined,
};

/**
 * Runs a snippet as a function of the scope; what it imports and declares at its top level goes there.
 * @param {string} snippet
 */
async function run(snippet) {
  const { code } = await transform(snippet, { loader: "ts", format: "esm" });
  const imported = [...code.matchAll(/^import \{([^}]*)\}/gm)].flatMap(([, names]) => names?.split(",") ?? []);
  const made = [...code.matchAll(/^(?:const|class) (\w+)/gm)].map(([, name]) => name ?? "");
  const declared = [...imported, ...made].map((name) => name.trim());
  const body = code.replaceAll(/^import (\{[^}]*\}) from ("[^"]+");$/gm, "const $1 = modules[$2];");
  const known = Object.keys(scope).filter((name) => !declared.includes(name));
  const program = compileFunction(`return (async () => {${body}\nreturn { ${declared.join(", ")} };})()`, known);
  Object.assign(scope, await program(...known.map((name) => scope[name])));
}

it("has snippets that run", async () => {
  expect(snippets.length).toBeGreaterThan(5);
  const [lead, first, ...others] = snippets;
  await run(lead ?? "");
  await run(first ?? "");
  scope["olderStep"] = await scope["graph"].getState(scope["thread"]);
  scope["input"] = { messages: [new messages.HumanMessage("again")] };
  expect(scope["olderStep"].values.messages.map((/** @type {{ text: string }} */ message) => message.text)).toEqual(["hello", "Hello!"]);
  for (const snippet of others) await run(snippet);
  expect(scope["money"].decode(scope["money"].encode({ cents: 5 })).cents).toBe(5);
});
