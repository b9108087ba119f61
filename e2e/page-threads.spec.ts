import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { Annotation, DeltaChannel, messagesDeltaReducer, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { expect, PageThreads, test } from "langgraph-checkpoint-indexeddb/playwright";
import { delta } from "langgraph-checkpoint-indexeddb/threads";

const concat = (state: readonly unknown[], writes: readonly (readonly unknown[])[]) => [...state, ...writes.flat()];
const channels = { log: delta(concat) };
const thread = { configurable: { thread_id: "thread" } };

/** A graph that runs in Node, on the page's database. */
function graphOn(checkpointer: BaseCheckpointSaver) {
  const State = Annotation.Root({
    messages: () => new DeltaChannel(messagesDeltaReducer, { snapshotFrequency: 3 }),
    log: () => new DeltaChannel(concat),
  });
  return new StateGraph(State)
    .addNode("answer", ({ messages }) => ({ messages: [new AIMessage({ id: crypto.randomUUID(), content: `${messages.length}` })], log: [new Uint8Array([0, 255]), { at: new Date(0), big: 1n }] }))
    .addEdge("__start__", "answer")
    .addEdge("answer", "__end__")
    .compile({ checkpointer, interruptBefore: ["answer"] });
}

const ask = (content: string) => ({ messages: [new HumanMessage({ id: crypto.randomUUID(), content })], log: [content] });

test.use({ threadStorage: { name: "of the page", channels } });

test("a literal thread is there before the page, as the graph would have it", { tag: "@core" }, async ({ threads }) => {
  await threads.put({
    id: "thread",
    title: "A question",
    metadata: { pinned: true },
    states: [{ messages: [{ role: "user", content: "hello" }] }, { messages: [{ role: "user", content: "hello" }, { role: "assistant", content: "Hello!" }], other: 7 }],
  });
  expect(await threads.state("thread")).toEqual({
    messages: [{ type: "human", id: "thread-1", content: "hello" }, { type: "ai", id: "thread-2", content: "Hello!" }],
    other: 7,
    log: [],
  });
  expect(await threads.saver.threads.get("thread")).toMatchObject({ title: "A question", metadata: { pinned: true }, checkpoints: 2 });

  const graph = graphOn(threads.saver);
  await graph.invoke(ask("and then?"), thread);
  expect((await graph.getState(thread)).next).toEqual(["answer"]);
  await graph.invoke(null, thread);
  await expect(threads).toHaveState("thread", { messages: [{}, {}, { content: "and then?" }, { content: "3" }] });
  expect((await threads.saver.verify()).problems).toEqual([]);
});

test("a test waits for a state, and is told what it is instead", { tag: "@core" }, async ({ threads }) => {
  await threads.put({ id: "thread", states: [{ messages: [{ role: "user", content: "one" }] }] });
  const reached = threads.reaches("thread", ({ messages }) => (messages as unknown[]).length === 2);
  await graphOn(threads.saver).updateState(thread, { messages: [new AIMessage({ id: "a", content: "two" })] }, "answer");
  expect(await reached).toMatchObject({ messages: [{ content: "one" }, { content: "two" }] });
  await expect(threads).not.toHaveState("thread", { messages: [] });
  await expect(expect(threads).toHaveState("thread", { title: "none" }, { timeout: 300 })).rejects.toThrow('the state of the thread "thread"');
  expect(await threads.state("nothing")).toBeUndefined();
});

test("two runs that did the same freeze to the same text, and others do not", { tag: "@core" }, async ({ threads }) => {
  const texts: string[] = [];
  for (const word of ["hello", "hello", "goodbye"]) {
    const graph = graphOn(threads.saver);
    await threads.saver.deleteThread("thread");
    await graph.invoke(ask(word), thread);
    await graph.invoke(null, thread);
    texts.push(await threads.freeze("thread"));
  }
  expect(texts[1]).toBe(texts[0]);
  expect(texts[2]?.replaceAll("goodbye", "hello")).toBe(texts[0]);
  expect(texts[2]).not.toBe(texts[0]);
  expect(texts[0]).toContain('"parent": "id-');
});

test("a thread that a test saved is put whole in another, in place of what was there", { tag: "@core" }, async ({ threads }, info) => {
  const graph = graphOn(threads.saver);
  await graph.invoke(ask("one"), thread);
  await graph.invoke(null, thread);
  await graph.invoke(ask("or"), (await graph.getState(thread)).parentConfig);
  const before = await threads.dump("thread");
  await threads.save("thread", info.outputPath("thread"));
  await graph.invoke(null, thread);
  await threads.put({ file: info.outputPath("thread") });
  expect(await threads.dump("thread")).toEqual(before);
  await threads.put({ file: info.outputPath("thread"), ids: { thread: "copy" } });
  expect(await threads.dump("copy")).toEqual({ ...before, id: "copy" });
  expect((await threads.saver.verify()).problems).toEqual([]);
});

test("Playwright's storage state carries the database there and back", { tag: "@core" }, async ({ threads, context, browser, baseURL }) => {
  const graph = graphOn(threads.saver);
  for (const word of ["one", "two", "three", "four"]) {
    await graph.invoke(ask(word), thread);
    if (word !== "four") await graph.invoke(null, thread);
  }
  await graph.invoke(ask("or"), (await graph.getState(thread)).parentConfig);
  await threads.put({ id: "another ünïcødé", title: "Another", states: [{ empty: "", zero: 0, list: [] }] });
  const dumps = async (of: PageThreads) => [await of.dump("thread"), await of.dump("another ünïcødé")];
  const before = await dumps(threads);


  const saved: unknown = JSON.parse(JSON.stringify(await context.storageState({ indexedDB: true })));
  const other = await browser.newContext({ storageState: saved as Awaited<ReturnType<typeof context.storageState>> });
  const carried = new PageThreads(other, { origin: baseURL!, name: "of the page", channels });
  expect(await dumps(carried)).toEqual(before);
  expect((await carried.saver.verify()).problems).toEqual([]);
  await graphOn(carried.saver).invoke(null, thread);
  await expect(carried).toHaveState("thread", { messages: [{}, {}, {}, {}, {}, {}, {}, { type: "ai" }] });

  const back = await browser.newContext({ storageState: await other.storageState({ indexedDB: true }) });
  const returned = new PageThreads(back, { origin: baseURL!, name: "of the page", channels });
  expect(await dumps(returned)).toEqual(await dumps(carried));
  expect((await returned.saver.verify()).problems).toEqual([]);
  for (const each of [carried, returned]) await each.close();
  for (const each of [other, back]) await each.close();
});
