import { AIMessage } from "@langchain/core/messages";
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import * as playwright from "langgraph-checkpoint-indexeddb/playwright";
import { run, snippetsOf } from "../test/support/snippets.mjs";

/** The tests of the guide, which are what its snippets define. */
const builder = new StateGraph(MessagesAnnotation)
  .addNode("model", () => ({ messages: [new AIMessage("May I?")] }))
  .addNode("tools", () => ({}))
  .addEdge("__start__", "model")
  .addEdge("model", "tools")
  .addEdge("tools", "__end__");

const scope = { builder, modules: { "langgraph-checkpoint-indexeddb/playwright": playwright } };
for (const snippet of snippetsOf("docs/end-to-end-testing.md")) await run(snippet, scope, import.meta.filename);
