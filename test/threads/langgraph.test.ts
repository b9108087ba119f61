import { AIMessage, BaseMessage, HumanMessage } from "@langchain/core/messages";
import { Annotation, DeltaChannel, messagesDeltaReducer, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { expect } from "vitest";
import { aggregate, delta, messagesReducer, type Slice, StoredMessage, ThreadStore } from "../../src/threads/index.ts";
import { contract, inNode, workerOption } from "../support/contract.ts";
import { errorOf } from "../support/errors.ts";
import { say } from "../support/thread-stores.ts";

const concat = (state: readonly string[], writes: readonly (string | readonly string[])[]) => [...state, ...writes.flat()];

/** A graph whose messages are a delta channel, or a plain one. */
const DeltaState = Annotation.Root({
  messages: () => new DeltaChannel(messagesDeltaReducer, { snapshotFrequency: 3 }),
  log: () => new DeltaChannel(concat, { snapshotFrequency: 1000 }),
});

function deltaGraph(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(DeltaState)
    .addNode("answer", ({ messages }) => ({ messages: [new AIMessage({ id: `a${messages.length}`, content: "!" })], log: [`step ${messages.length}`] }))
    .addEdge("__start__", "answer")
    .addEdge("answer", "__end__")
    .compile({ checkpointer });
}

function plainGraph(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(MessagesAnnotation)
    .addNode("answer", ({ messages }) => ({ messages: [new AIMessage({ id: `a${messages.length}`, content: "!" })] }))
    .addEdge("__start__", "answer")
    .addEdge("answer", "__end__")
    .compile({ checkpointer });
}

const config = { configurable: { thread_id: "t" } };
const ask = (id: string) => new HumanMessage({ id, content: "?" });
const channels = { messages: delta(messagesReducer), log: delta(concat) };
const ids = (messages: readonly { id?: string | undefined }[]) => messages.map(({ id }) => id);

contract("A thread that a graph wrote", (it, implementation) => {
  const worker = implementation === "inline" ? false : workerOption;

  it("is read by a thread store, with LangChain's messages as plain ones", async ({ saver, database }) => {
    const graph = deltaGraph(saver);
    for (const id of ["q1", "q2", "q3"]) await graph.invoke({ messages: [ask(id)] }, config);
    await using threads = new ThreadStore({ name: database, worker, channels });
    const { messages, log } = await threads.thread("t").values();
    expect(ids(messages)).toStrictEqual(["q1", "a1", "q2", "a3", "q3", "a5"]);
    expect(messages[0]).toBeInstanceOf(StoredMessage);
    expect({ ...messages[1] }).toMatchObject({ type: "ai", id: "a1", content: "!", tool_calls: [] });
    expect(log).toStrictEqual(["step 1", "step 3", "step 5"]);
    for await (const { config: at, values } of graph.getStateHistory(config)) {
      const then = await threads.thread("t").values({ at: at.configurable?.["checkpoint_id"] as string });
      expect(ids(then.messages)).toStrictEqual(ids((values as { messages?: BaseMessage[] }).messages ?? []));
      expect(then.log).toStrictEqual((values as { log?: string[] }).log ?? []);
    }
  });

  it("is read by saver.threads with their classes, and all that is not LangGraph's own", async ({ open }) => {
    const saver = open({ channels });
    const graph = deltaGraph(saver);
    await graph.invoke({ messages: [ask("q1")] }, config);
    const thread = saver.threads.thread("t");
    const { messages, ...others } = (await thread.values()) as { messages: BaseMessage[] };
    expect(messages[0]).toBeInstanceOf(HumanMessage);
    expect(messages[1]).toBeInstanceOf(AIMessage);
    expect(others).toStrictEqual({ log: ["step 1"] });
    const window = (await thread.slice("messages", { last: 1 })) as Slice<BaseMessage>;
    expect(window).toMatchObject({ start: 1, total: 2 });
    expect(ids(window.items)).toStrictEqual(["a1"]);
  });

  it("is not read in part: a delta channel without a definition is refused", async ({ saver }) => {
    await deltaGraph(saver).invoke({ messages: [ask("q1")] }, config);
    expect(await errorOf(saver.threads.thread("t").values())).toMatchObject({ code: "undefined-channel", channel: "messages" });
    const plain = plainGraph(saver);
    await plain.invoke({ messages: [ask("q1")] }, { configurable: { thread_id: "plain" } });
    expect(ids(((await saver.threads.thread("plain").values()) as { messages: BaseMessage[] }).messages)).toStrictEqual(["q1", "a1"]);
  });

  it("goes on in a thread store, and then in the graph", async ({ open, database }) => {
    for (const make of [deltaGraph, plainGraph]) {
      const saver = open();
      const graph = make(saver);
      const here = { configurable: { thread_id: make.name } };
      await graph.invoke({ messages: [ask("q1")] }, here);
      await using threads = new ThreadStore({ name: database, worker, channels: { messages: delta(messagesReducer) } });
      const thread = threads.thread(make.name);
      await thread.append({ messages: [say("note"), { ...say("q1"), content: "changed" }] });
      expect(ids((await thread.values()).messages)).toStrictEqual(["q1", "a1", "note"]);
      const between = await graph.getState(here);
      expect(ids((between.values as { messages: BaseMessage[] }).messages)).toStrictEqual(["q1", "a1", "note"]);
      await graph.invoke({ messages: [ask("q2")] }, here);
      await thread.values();
      await thread.append({ messages: say("end") });
      const messages = ["q1", "a1", "note", "q2", "a4", "end"];
      expect(ids((await thread.values()).messages)).toStrictEqual(messages);
      const { values } = await make(open()).getState(here);
      expect(ids((values as { messages: BaseMessage[] }).messages)).toStrictEqual(messages);
    }
  });

  it("keeps the graph's other channels when a thread store appends", async ({ saver, database }) => {
    const graph = deltaGraph(saver);
    await graph.invoke({ messages: [ask("q1")] }, config);
    await using threads = new ThreadStore({ name: database, worker, channels: { messages: delta(messagesReducer) } });
    await threads.thread("t").append({ messages: say("x") });
    expect((await graph.getState(config)).values).toMatchObject({ log: ["step 1"] });
    await graph.invoke({ messages: [ask("q2")] }, config);
    expect((await graph.getState(config)).values).toMatchObject({ log: ["step 1", "step 4"] });
  });

  it("is forked, and the graph's branch stays", async ({ saver, database }) => {
    const graph = deltaGraph(saver);
    await graph.invoke({ messages: [ask("q1")] }, config);
    const first = (await graph.getState(config)).config.configurable?.["checkpoint_id"] as string;
    await graph.invoke({ messages: [ask("q2")] }, config);
    const second = (await graph.getState(config)).config;
    await using threads = new ThreadStore({ name: database, worker, channels });
    const fork = threads.thread("t").fork(first);
    const forked = await fork.append({ messages: say("other") });
    expect(await fork.values()).toMatchObject({ log: ["step 1"] });
    expect(ids((await fork.values()).messages)).toStrictEqual(["q1", "a1", "other"]);
    expect(ids(((await graph.getState(second)).values as { messages: BaseMessage[] }).messages)).toStrictEqual(["q1", "a1", "q2", "a3"]);
    const theirs = await graph.getState({ configurable: { thread_id: "t", checkpoint_id: forked } });
    expect(theirs.values).toMatchObject({ log: ["step 1"] });
    expect(ids((theirs.values as { messages: BaseMessage[] }).messages)).toStrictEqual(["q1", "a1", "other"]);
  });
});

contract("A thread that a thread store wrote", (it, implementation) => {
  const worker = implementation === "inline" ? false : workerOption;

  it("is read and continued by a graph", async ({ saver, database }) => {
    await using threads = new ThreadStore({ name: database, worker, channels: { messages: delta(messagesReducer), log: delta(concat, { snapshotFrequency: 4 }) } });
    const thread = threads.thread("t");
    for (let step = 0; step < 6; step++) await thread.append({ messages: say(`m${step}`), log: `entry ${step}` });
    const graph = deltaGraph(saver);
    const { values, next } = await graph.getState(config);
    expect(ids((values as { messages: BaseMessage[] }).messages)).toStrictEqual(["m0", "m1", "m2", "m3", "m4", "m5"]);
    expect((values as { log: string[] }).log).toStrictEqual(["entry 0", "entry 1", "entry 2", "entry 3", "entry 4", "entry 5"]);
    expect(next).toStrictEqual([]);
    await graph.invoke({ messages: [ask("q")] }, config);
    expect(ids((await thread.values()).messages)).toStrictEqual(["m0", "m1", "m2", "m3", "m4", "m5", "q", "a7"]);
    const after = (await graph.getState(config)).values as { messages: BaseMessage[]; log: string[] };
    expect(after.log).toStrictEqual([...(values as { log: string[] }).log, "step 7"]);
    const history: string[] = [];
    for await (const state of graph.getStateHistory(config)) history.push(state.metadata?.source ?? "");
    expect(history).toStrictEqual(["loop", "loop", "input", ...Array.from({ length: 6 }, () => "update")]);
  });
});

contract("Definitions that change between releases", (it, implementation) => {
  const worker = implementation === "inline" ? false : workerOption;
  const list = aggregate((state: readonly string[], write: string) => [...state, write], { initial: () => [] });

  it("from delta to aggregate and back, to another frequency, to a new and without an old channel", async ({ database }) => {
    const releases = [{ a: delta(concat), old: list }, { a: list }, { a: delta(concat, { snapshotFrequency: 2 }), b: delta(concat) }, { a: list, b: list, old: list }];
    const written: string[] = [];
    for (const [index, release] of releases.entries()) {
      await using threads = new ThreadStore({ name: database, worker, channels: release });
      const thread = threads.thread("t");
      for (const step of [1, 2, 3]) {
        written.push(`${index}.${step}`);
        await thread.append({ a: `${index}.${step}` });
        expect((await thread.values())["a"]).toStrictEqual(written);
      }
      if (index === 0) await thread.append({ old: "kept" });
      expect((await thread.values()) as object).toStrictEqual({
        a: written,
        ...("b" in release ? { b: [] } : {}),
        ...("old" in release ? { old: ["kept"] } : {}),
      });
    }
  });

  it("takes a plain value of an earlier release as its beginning", async ({ database }) => {
    for (const [index, initial] of [["x"], "x", 5, true].entries()) {
      const thread = `t${index}`;
      {
        await using before = new ThreadStore({ name: database, worker, channels: { v: aggregate((_: unknown, write: unknown) => write, { initial: () => undefined as unknown }) } });
        await before.thread(thread).append({ v: initial });
      }
      await using after = new ThreadStore({ name: database, worker, channels: { v: delta((state: unknown, writes: readonly unknown[]) => [state, ...writes].flat()) } });
      await after.thread(thread).append({ v: 2 });
      await after.thread(thread).append({ v: 3 });
      expect((await after.thread(thread).values()).v).toStrictEqual([initial, 2, 3].flat());
    }
  });
});

contract("A schema version", (it, implementation) => {
  const worker = implementation === "inline" ? false : workerOption;
  const text = delta(concat, { snapshotFrequency: 2 });
  const migrations = { 2: (state: Readonly<Record<string, unknown>>) => ({ ...state, messages: (state["messages"] as { content: string }[]).map((message) => ({ ...message, text: message.content })) }) };

  it("is brought up on reading and stored with the next step", async ({ database }) => {
    const first = { messages: delta(messagesReducer), log: text };
    let old: string;
    {
      await using before = new ThreadStore({ name: database, worker, channels: first });
      old = await before.thread("t").append({ messages: say("a"), log: "one" });
      await before.thread("t").append({ log: "two" });
    }
    await using after = new ThreadStore({ name: database, worker, channels: first, version: 2, migrations });
    const thread = after.thread("t");
    expect((await thread.values()).messages).toStrictEqual([{ ...say("a"), text: "a" }]);
    expect((await thread.slice("messages", { last: 5 })).items).toStrictEqual([{ ...say("a"), text: "a" }]);
    const id = await thread.append({ log: "three" });
    expect(await thread.values()).toStrictEqual({ messages: [{ ...say("a"), text: "a" }], log: ["one", "two", "three"] });
    expect((await thread.state({ at: id }))?.metadata).toMatchObject({ schema_version: 2 });
    expect((await thread.values({ at: old })).messages).toStrictEqual([{ ...say("a"), text: "a" }]);
    expect((await thread.slice("messages", { last: 5 })).items).toStrictEqual([{ ...say("a"), text: "a" }]);
    await using before = new ThreadStore({ name: database, worker, channels: first });
    expect((await errorOf(before.thread("t").slice("messages", { last: 5 }))).code).toBe("newer-schema");
    expect((await errorOf(before.thread("t").values())).code).toBe("newer-schema");
    expect((await before.thread("t").values({ at: old })).messages).toStrictEqual([say("a")]);
  });
});

contract("A saver's threads", (it) => {
  it("are left in the shape that they have", async ({ open, database }) => {
    const saver = open({ channels: { messages: delta(messagesReducer) } });
    await using threads = new ThreadStore({ name: database, worker: false, channels: { messages: delta(messagesReducer) }, version: 2, migrations: { 2: (state) => ({ ...state }) } });
    await threads.thread("t").append({ messages: say("a") });
    await saver.threads.thread("t").append({ messages: say("b") });
    expect(await threads.thread("t").state()).toMatchObject({ metadata: { schema_version: 2 }, values: { messages: [say("a"), say("b")] } });
  });

  it("are read and written with the saver's serializer", async ({ open }) => {
    const serde = {
      dumpsTyped: async (value: unknown): Promise<[string, Uint8Array]> => ["json", new TextEncoder().encode(JSON.stringify(value))],
      loadsTyped: async (_: string, bytes: Uint8Array | string): Promise<unknown> => JSON.parse(typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes)),
    };
    const saver = open({ serde, channels: { messages: delta(messagesReducer), log: delta(concat, { snapshotFrequency: 2 }) } });
    const thread = saver.threads.thread("t");
    for (const id of ["a", "b", "c"]) await thread.append({ messages: say(id), log: id });
    expect(await thread.values()).toStrictEqual({ messages: [say("a"), say("b"), say("c")], log: ["a", "b", "c"] });
    expect(await thread.slice("messages", { last: 1 })).toMatchObject({ items: [say("c")], total: 3 });
    await saver.threads.update("t", { metadata: { pinned: true } });
    expect(await saver.threads.get("t")).toMatchObject({ metadata: { pinned: true } });
    const steps = [];
    for await (const step of thread.history()) steps.push(step.writes.map(({ value }) => value));
    expect(steps).toStrictEqual([[say("c"), "c"], [say("b"), "b"], [[say("a")], ["a"]]]);
  });

  it("close with it", async ({ open }) => {
    const saver = open();
    await saver.close();
    expect((await errorOf(saver.threads.thread("t").values())).code).toBe("closed");
  });
});

contract("A lock", (it) => {
  it("lets one run of a thread go at a time", async ({ saver }) => {
    const thread = saver.threads.thread("t");
    if (inNode && (globalThis as { navigator?: { locks?: unknown } }).navigator?.locks === undefined) {
      expect((await errorOf(thread.withLock(() => Promise.resolve()))).code).toBe("locks-unavailable");
      return;
    }
    const order: string[] = [];
    const run = (name: string) =>
      thread.withLock(async () => {
        order.push(`${name} begins`);
        await thread.values();
        order.push(`${name} ends`);
        return name;
      });
    expect(await Promise.all([run("a"), saver.threads.thread("t").withLock(() => run2()), run("c")])).toStrictEqual(["a", "b", "c"]);
    expect(order).toStrictEqual(["a begins", "a ends", "b", "c begins", "c ends"]);
    async function run2() {
      order.push("b");
      return "b";
    }
  });
});

