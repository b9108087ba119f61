import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { MessagesAnnotation, Send, StateGraph } from "@langchain/langgraph";
import { expect } from "vitest";
import type { Step } from "../../src/threads/index.ts";
import { contract } from "../support/contract.ts";
import { errorOf } from "../support/errors.ts";
import { say, threadContract } from "../support/thread-stores.ts";

async function all(steps: AsyncIterable<Step>): Promise<Step[]> {
  const found: Step[] = [];
  for await (const step of steps) found.push(step);
  return found;
}

const written = ({ writes }: Step) => writes.map(({ channel, value }) => [channel, value]);

threadContract("The history", (it) => {
  it("has the steps, newest first, with what they wrote", async ({ threads }) => {
    const thread = threads.thread("t");
    const a = await thread.append({ messages: say("a"), title: "one" });
    const b = await thread.append([{ messages: say("b") }, { messages: [say("c")], title: "two" }], { metadata: { by: "me" } });
    const c = await thread.append({ title: "three" });
    const steps = await all(thread.history());
    expect(steps.map(({ id, parent }) => [id, parent])).toStrictEqual([[c, b], [b, a], [a, undefined]]);
    expect(steps.map(({ changed }) => [...changed].sort())).toStrictEqual([["title"], ["messages", "title"], ["messages", "title"]]);
    expect(steps.map(({ metadata }) => metadata["step"])).toStrictEqual([2, 1, 0]);
    expect(steps[1]?.metadata).toMatchObject({ by: "me", source: "update" });
    expect(written(steps[0]!)).toStrictEqual([["title", "three"]]);
    expect(written(steps[1]!)).toStrictEqual([["messages", say("b")], ["messages", [say("c")]], ["title", "two"]]);
    expect(written(steps[2]!)).toStrictEqual([["messages", [say("a")]], ["title", "one"]]);
  });

  it("is read in pages, as far as asked for", async ({ threads }) => {
    const thread = threads.thread("t");
    const ids: string[] = [];
    for (let step = 0; step < 120; step++) ids.unshift(await thread.append({ messages: say(String(step)) }));
    const steps = await all(thread.history());
    expect(steps.map(({ id }) => id)).toStrictEqual(ids);
    expect(steps.every(({ changed }) => changed.length === 1 && changed[0] === "messages")).toBe(true);
    expect((await all(thread.history({ limit: 50 }))).map(({ id }) => id)).toStrictEqual(ids.slice(0, 50));
    expect((await all(thread.history({ limit: 51, at: ids[10]! }))).map(({ id }) => id)).toStrictEqual(ids.slice(10, 61));
    expect(await all(thread.history({ limit: 0 }))).toStrictEqual([]);
  });

  it("of a fork goes back over where it forked off", async ({ threads }) => {
    const thread = threads.thread("t");
    const a = await thread.append({ messages: say("a") });
    const b = await thread.append({ messages: say("b") });
    const fork = thread.fork(a);
    const c = await fork.append({ messages: say("c") });
    const d = await fork.append({ messages: say("d") });
    expect((await all(fork.history())).map(({ id }) => id)).toStrictEqual([d, c, a]);
    expect((await all(thread.history({ at: b }))).map(({ id }) => id)).toStrictEqual([b, a]);
    expect(written((await all(fork.history()))[0]!)).toStrictEqual([["messages", say("d")]]);
    expect(written((await all(thread.history({ at: b })))[0]!)).toStrictEqual([["messages", say("b")]]);
  });

  it("of a thread without checkpoints is empty, and from one that is not there an error", async ({ threads }) => {
    expect(await all(threads.thread("t").history())).toStrictEqual([]);
    expect(await threads.thread("t").branches()).toStrictEqual([]);
    expect((await errorOf(all(threads.thread("t").history({ at: "1ef00000-0000-6000-8000-000000000000" })))).code).toBe("unknown-checkpoint");
  });
});

contract("The history of a graph", (it) => {
  it("has its steps, its metadata and what its nodes wrote", async ({ saver }) => {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("answer", () => ({ messages: [new AIMessage({ id: "a", content: "!" })] }))
      .addEdge("__start__", "answer")
      .addEdge("answer", "__end__")
      .compile({ checkpointer: saver });
    await graph.invoke({ messages: [new HumanMessage({ id: "q", content: "?" })] }, { configurable: { thread_id: "t" } });
    const steps = await all(saver.threads.thread("t").history());
    expect(steps.map(({ metadata }) => metadata["source"])).toStrictEqual(["loop", "loop", "input"]);
    expect(written(steps[0]!)).toStrictEqual([["messages", [new AIMessage({ id: "a", content: "!" })]]]);
    expect(steps[0]?.changed).toStrictEqual(["messages"]);
    expect(steps.map(({ nodes }) => nodes)).toStrictEqual([["answer"], [], []]);
    const branch = { start: steps[2]!.id, tip: steps[0]!.id, length: 3, newest: true };
    expect(await saver.threads.thread("t").branches()).toStrictEqual([branch]);
  });

  it("names the nodes that ran, those of sent tasks and of a later run too", async ({ saver }) => {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("ask", () => ({}))
      .addNode("tool", () => ({ messages: [new AIMessage("done")] }))
      .addNode("gathered", () => ({}))
      .addEdge("__start__", "ask")
      .addConditionalEdges("ask", () => [new Send("tool", {}), new Send("tool", {})], ["tool"])
      .addEdge("tool", "gathered")
      .compile({ checkpointer: saver });
    const config = { configurable: { thread_id: "t" } };
    for (const text of ["one", "two"]) await graph.invoke({ messages: [new HumanMessage(text)] }, config);
    const run = [["gathered"], ["tool"], ["ask"], [], []];
    expect((await all(saver.threads.thread("t").history())).map(({ nodes }) => nodes)).toStrictEqual([...run, ...run]);
  });
});
