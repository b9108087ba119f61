import { AIMessage, type BaseMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { Annotation, Command, DeltaChannel, MessagesAnnotation, NodeInterrupt, Overwrite, Send, type StateSnapshot, StateGraph, messagesDeltaReducer } from "@langchain/langgraph";
import { type BaseCheckpointSaver, MemorySaver, isDeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { expect } from "vitest";
import type { IndexedDBSaver } from "../src/index.ts";
import { listed } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";

const concat = (left: string[], right: string[]): string[] => [...left, ...right];
const concatAll = (state: string[], writes: string[][]): string[] => state.concat(...writes);
const delta = (snapshotFrequency = 100) => () => new DeltaChannel<string[], string[]>(concatAll, { snapshotFrequency });

/** A plain and a delta channel over the same reducer, which have to be equal at all times. */
const Both = Annotation.Root({ plain: Annotation<string[]>({ reducer: concat, default: () => [] }), delta: delta() });
const both = (...texts: string[]) => ({ plain: texts, delta: texts });

function echo(saver: IndexedDBSaver) {
  return new StateGraph(Both)
    .addNode("echo", ({ plain }) => both(`echo ${plain.length}`))
    .addEdge("__start__", "echo")
    .addEdge("echo", "__end__")
    .compile({ checkpointer: saver });
}

const config = { configurable: { thread_id: "thread" } };

async function historyOf(graph: { getStateHistory(config: RunnableConfig): AsyncIterableIterator<StateSnapshot> }, of: RunnableConfig = config): Promise<StateSnapshot[]> {
  const found: StateSnapshot[] = [];
  for await (const snapshot of graph.getStateHistory(of)) found.push(snapshot);
  return found;
}

contract("A graph on this saver", (it) => {
  it("has after a reload what a fork returned, in a plain channel and in a delta channel alike", async ({ saver, reopen }) => {
    const graph = echo(saver);
    await graph.invoke(both("a"), config);
    const afterA = await graph.getState(config);
    await graph.invoke(both("b"), config);
    const fork = await graph.invoke(both("c"), afterA.config);
    expect(fork).toStrictEqual(both("a", "echo 1", "c", "echo 3"));
    expect((await echo(await reopen()).getState(config)).values).toStrictEqual(fork);
  });

  it("keeps its head when an older checkpoint is updated", async ({ saver, reopen }) => {
    const graph = echo(saver);
    await graph.invoke(both("a"), config);
    const first = await graph.getState(config);
    const head = await graph.invoke(both("b"), config);
    const headConfig = (await graph.getState(config)).config;
    const updated = await graph.updateState(first.config, both("x"), "echo");
    const again = echo(await reopen());
    expect((await again.getState(headConfig)).values).toStrictEqual(head);
    expect((await again.getState(updated)).values).toStrictEqual(both("a", "echo 1", "x"));
  });

  it("keeps two updates of one checkpoint apart", async ({ saver, reopen }) => {
    const graph = echo(saver);
    await graph.invoke(both("a"), config);
    const root = (await historyOf(graph)).at(-1)!;
    const one = await graph.updateState(root.config, both("one"), "echo");
    const two = await graph.updateState(root.config, both("two"), "echo");
    const again = echo(await reopen());
    const values = [(await again.getState(one)).values, (await again.getState(two)).values];
    expect(values.map(({ plain }: typeof Both.State) => plain.at(-1))).toStrictEqual(["one", "two"]);
    expect(values.map(({ delta: list }: typeof Both.State) => list)).toStrictEqual(values.map(({ plain }: typeof Both.State) => plain));
  });

  it("lists a fork's history by the fork's own parents", async ({ saver }) => {
    const graph = echo(saver);
    await graph.invoke(both("a"), config);
    const first = await graph.getState(config);
    await graph.invoke(both("b"), config);
    await graph.invoke(both("c"), first.config);
    const byId = new Map((await historyOf(graph)).map((snapshot) => [snapshot.config.configurable?.["checkpoint_id"] as string, snapshot]));
    const path: string[][] = [];
    let at: StateSnapshot | undefined = await graph.getState(config);
    while (at !== undefined) {
      path.push((at.values as typeof Both.State).plain);
      at = byId.get((at.parentConfig?.configurable?.["checkpoint_id"] as string | undefined) ?? "");
    }
    expect(path.some((plain) => plain.includes("b"))).toBe(false);
    expect(path[0]).toStrictEqual(["a", "echo 1", "c", "echo 3"]);
    expect(path).toContainEqual(["a", "echo 1"]);
  });

  it("copies a checkpoint with all its values", async ({ saver, reopen }) => {
    const graph = echo(saver);
    await graph.invoke(both("a"), config);
    await graph.invoke(both("b"), config);
    const head = await graph.getState(config);
    const copy = await graph.updateState(head.config, null, "__copy__");
    const copied = await echo(await reopen()).getState(copy);
    expect(copied.values).toStrictEqual(head.values);
    expect(copied.metadata).toMatchObject({ source: "fork" });
  });

  it("replays eight tasks of one superstep in the order the run applied them", async ({ saver, reopen }) => {
    const names = ["h", "b", "g", "a", "f", "c", "e", "d"];
    const build = (checkpointer: IndexedDBSaver) => {
      const graph = names.reduce(
        (builder, name) => builder.addNode(name, async () => (await new Promise((resolve) => setTimeout(resolve, name.charCodeAt(0) % 5)), both(name))) as never,
        new StateGraph(Both),
      ) as unknown as StateGraph<typeof Both.spec, typeof Both.State, typeof Both.Update, string>;
      for (const name of names) graph.addEdge("__start__", name).addEdge(name, "__end__");
      return graph.compile({ checkpointer });
    };
    const live = await build(saver).invoke(both("start"), config);
    expect(live["delta"]).toHaveLength(9);
    expect(live["delta"]).toStrictEqual(live["plain"]);
    expect((await build(await reopen()).getState(config)).values).toStrictEqual(live);
  });

  it("goes on when a plain channel becomes a delta channel, and the reverse", async ({ saver, reopen }) => {
    const Plain = Annotation.Root({ items: Annotation<string[]>({ reducer: concat, default: () => [] }) });
    const Delta = Annotation.Root({ items: delta() });
    const build = (State: typeof Plain | typeof Delta, checkpointer: IndexedDBSaver) =>
      new StateGraph(State as typeof Plain).addNode("stay", () => ({})).addEdge("__start__", "stay").compile({ checkpointer });
    const items = (...list: string[]) => ({ items: list });

    await build(Plain, saver).invoke(items("1"), config);
    expect(await build(Delta, saver).invoke(items("2"), config)).toStrictEqual(items("1", "2"));
    expect(await build(Delta, await reopen()).invoke(items("3"), config)).toStrictEqual(items("1", "2", "3"));
    const again = await reopen();
    expect((await build(Delta, again).getState(config)).values).toStrictEqual(items("1", "2", "3"));
    const plainAgain = await build(Delta, again).updateState(config, { items: new Overwrite(["1", "2", "3"]) }, "stay");
    expect((await build(Delta, again).getState(plainAgain)).values).toStrictEqual(items("1", "2", "3"));
    const plain = build(Plain, await reopen());
    expect(await plain.invoke(items("4"), config)).toStrictEqual(items("1", "2", "3", "4"));
  });

  it("stores an Overwrite between writes as the run applied it", async ({ saver, reopen }) => {
    const build = (checkpointer: IndexedDBSaver) =>
      new StateGraph(Both)
        .addNode("first", () => both("1"))
        .addNode("second", () => ({ plain: new Overwrite(["only"]), delta: new Overwrite(["only"]) }))
        .addNode("third", () => both("3"))
        .addEdge("__start__", "first")
        .addEdge("first", "second")
        .addEdge("second", "third")
        .compile({ checkpointer });
    const live = await build(saver).invoke(both("0"), config);
    expect(live).toStrictEqual(both("only", "3"));
    const graph = build(await reopen());
    expect((await graph.getState(config)).values).toStrictEqual(live);
    expect((await historyOf(graph)).map(({ values }) => (values as typeof Both.State).delta)).toStrictEqual((await historyOf(graph)).map(({ values }) => (values as typeof Both.State).plain));
  });

  it("takes four snapshots in two hundred writes, and walks fifty at most", async ({ saver }) => {
    const Counted = Annotation.Root({ items: delta(50), turn: Annotation<number>() });
    const graph = new StateGraph(Counted)
      .addNode("write", ({ turn }) => ({ items: [`item ${turn}`], turn: turn + 1 }))
      .addEdge("__start__", "write")
      .addConditionalEdges("write", ({ turn }) => (turn < 200 ? "write" : "__end__"), ["write", "__end__"])
      .compile({ checkpointer: saver });
    await graph.invoke({ turn: 0 }, { ...config, recursionLimit: 300 });

    const tuples = await listed(saver, config);
    const snapshots = tuples.filter(({ checkpoint }) => isDeltaSnapshot(checkpoint.channel_values["items"]));
    expect(snapshots).toHaveLength(4);
    const some = tuples.filter((_, place) => place % 7 === 0);
    const walks = await Promise.all(some.map(async (tuple) => (await saver.getDeltaChannelHistory({ config: tuple.config, channels: ["items"] }))["items"]?.writes.length ?? 0));
    expect(Math.max(...walks)).toBeLessThanOrEqual(50);
    expect((await graph.getState(config)).values).toStrictEqual({ items: Array.from({ length: 200 }, (_, n) => `item ${n}`), turn: 200 });
  });

  it("does not run finished tasks again after it stopped between putWrites and put", async ({ saver, reopen }) => {
    const ran: string[] = [];
    let broken = true;
    const build = (checkpointer: IndexedDBSaver) =>
      new StateGraph(Both)
        .addNode("done", () => (ran.push("done"), both("done")))
        .addNode("breaks", async () => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          ran.push("breaks");
          if (broken) throw new Error("broken");
          return both("mended");
        })
        .addEdge("__start__", "done")
        .addEdge("__start__", "breaks")
        .compile({ checkpointer });
    await expect(build(saver).invoke(both("in"), config)).rejects.toThrow("broken");
    broken = false;
    const result = await build(await reopen()).invoke(null, config);
    expect(ran).toStrictEqual(["done", "breaks", "breaks"]);
    expect(result["plain"].toSorted()).toStrictEqual(["done", "in", "mended"]);
    expect(result["delta"]).toStrictEqual(result["plain"]);
  });

  it("shows every step its own value though a node changes its list in place", async ({ saver, reopen }) => {
    const Log = Annotation.Root({ log: Annotation<string[]>() });
    const build = (checkpointer: IndexedDBSaver) => {
      const append = (name: string) => ({ log }: typeof Log.State) => (log.push(name), { log });
      return new StateGraph(Log)
        .addNode("a", append("a"))
        .addNode("b", append("b"))
        .addNode("c", append("c"))
        .addEdge("__start__", "a")
        .addEdge("a", "b")
        .addEdge("b", "c")
        .compile({ checkpointer });
    };
    await build(saver).invoke({ log: ["in"] }, { ...config, durability: "sync" });
    const logs = (await historyOf(build(await reopen()))).map(({ values }) => (values as Partial<typeof Log.State>).log);
    expect(logs).toStrictEqual([["in", "a", "b", "c"], ["in", "a", "b"], ["in", "a"], ["in"], undefined]);
  });

  it("waits before a node over a reload, and goes on from there", async ({ saver, reopen }) => {
    const ran: string[] = [];
    const build = (checkpointer: IndexedDBSaver) =>
      new StateGraph(MessagesAnnotation)
        .addNode("ask", () => (ran.push("ask"), { messages: [new AIMessage({ id: "a", content: "", tool_calls: [{ name: "pay", args: { sum: 5 }, id: "c" }] })] }))
        .addNode("pay", ({ messages }) => (ran.push("pay"), { messages: [new HumanMessage({ id: "p", content: `paid ${String((messages.at(-1) as AIMessage).tool_calls?.[0]?.args["sum"])}` })] }))
        .addEdge("__start__", "ask")
        .addEdge("ask", "pay")
        .compile({ checkpointer, interruptBefore: ["pay"] });
    await build(saver).invoke({ messages: [new HumanMessage({ id: "q", content: "pay" })] }, config);
    const graph = build(await reopen());
    expect((await graph.getState(config)).next).toStrictEqual(["pay"]);
    const { messages } = await graph.invoke(null, config);
    expect(messages.map((message: BaseMessage) => [message.id, message.getType(), message.content])).toStrictEqual([["q", "human", "pay"], ["a", "ai", ""], ["p", "human", "paid 5"]]);
    expect(ran).toStrictEqual(["ask", "pay"]);
  });

  it("keeps an interrupt of a task, and what resumes it, over a reload", async ({ saver, reopen }) => {
    let allowed = false;
    const build = (checkpointer: IndexedDBSaver) =>
      new StateGraph(Both)
        .addNode("guard", () => {
          if (!allowed) throw new NodeInterrupt({ question: "may I?", since: new Date(5) });
          return both("went on");
        })
        .addNode("beside", () => both("beside"))
        .addEdge("__start__", "guard")
        .addEdge("__start__", "beside")
        .compile({ checkpointer });
    await build(saver).invoke(both("in"), config);
    const graph = build(await reopen());
    const { tasks } = await graph.getState(config);
    expect(tasks.find(({ name }) => name === "guard")?.interrupts.map(({ value }) => value as unknown)).toStrictEqual([{ question: "may I?", since: new Date(5) }]);
    allowed = true;
    const result = await build(await reopen()).invoke(null, config);
    expect(result["plain"].toSorted()).toStrictEqual(["beside", "in", "went on"]);
    expect(result["delta"]).toStrictEqual(result["plain"]);
  });

  it("sends tasks their arguments with their classes, also over a reload", async ({ saver, reopen }) => {
    const build = (checkpointer: IndexedDBSaver) =>
      new StateGraph(Both)
        .addNode("split", () => new Command({ goto: [1, 2, 3].map((n) => new Send("work", { message: new HumanMessage({ id: `m${n}`, content: `task ${n}` }), big: BigInt(n) })) }), { ends: ["work"] })
        .addNode("work", (task: unknown) => {
          const { message, big } = task as { message: HumanMessage; big: bigint };
          return both(`${message.getType()} ${String(message.content)} ${typeof big}`);
        })
        .addEdge("__start__", "split")
        .compile({ checkpointer, interruptBefore: ["work"] });
    await build(saver).invoke(both(), config);
    const result = await build(await reopen()).invoke(null, config);
    expect(result["plain"]).toStrictEqual([1, 2, 3].map((n) => `human task ${n} bigint`));
    expect(result["delta"]).toStrictEqual(result["plain"]);
  });

  it("removes and edits messages in both kinds of channel alike", async ({ saver, reopen }) => {
    const State = Annotation.Root({
      plain: MessagesAnnotation.spec.messages,
      delta: () => new DeltaChannel<BaseMessage[], BaseMessage[]>(messagesDeltaReducer, { snapshotFrequency: 4 }),
    });
    const build = (checkpointer: IndexedDBSaver) => new StateGraph(State).addNode("stay", () => ({})).addEdge("__start__", "stay").compile({ checkpointer });
    let graph = build(saver);
    const say = (...messages: BaseMessage[]) => graph.invoke({ plain: messages, delta: messages }, config);
    for (let n = 0; n < 9; n += 1) await say(new HumanMessage({ id: `m${n}`, content: `text ${n}` }));
    await say(new RemoveMessage({ id: "m3" }), new HumanMessage({ id: "m5", content: "edited" }));
    graph = build(await reopen());
    await say(new RemoveMessage({ id: "m0" }));
    const { plain, delta: list } = (await build(await reopen()).getState(config)).values as typeof State.State;
    const facts = (messages: BaseMessage[]) => messages.map(({ id, content }) => [id, content]);
    expect(facts(plain)).toStrictEqual(["m1", "m2", "m4", "m5", "m6", "m7", "m8"].map((id) => [id, id === "m5" ? "edited" : `text ${id.slice(1)}`]));
    expect(facts(list)).toStrictEqual(facts(plain));
  });

  it("goes back in a parent whose child was interrupted, as with MemorySaver", async ({ saver }) => {
    const goBack = async (checkpointer: BaseCheckpointSaver) => {
      const ran: string[] = [];
      const node = (name: string) => () => (ran.push(name), both(name));
      const child = new StateGraph(Both).addNode("one", node("one")).addNode("two", node("two")).addEdge("__start__", "one").addEdge("one", "two").compile({ interruptBefore: ["two"] });
      const graph = new StateGraph(Both).addNode("before", node("before")).addNode("child", child).addEdge("__start__", "before").addEdge("before", "child").compile({ checkpointer });
      await graph.invoke(both("in"), config);
      const paused = await graph.getState(config, { subgraphs: true });
      const nested = paused.tasks[0]?.state as StateSnapshot;
      const results = [await graph.invoke(null, config), await graph.invoke(null, paused.config), await graph.invoke(null, paused.config)];
      return { ran, next: [paused.next, nested.next], nested: nested.values as unknown, results, head: (await graph.getState(config)).values as unknown };
    };
    const mine = await goBack(saver);
    expect(mine).toStrictEqual(await goBack(new MemorySaver()));
    expect(mine.next).toStrictEqual([["child"], ["two"]]);
    expect(mine.nested).toStrictEqual(both("in", "before", "one"));
  });

  it("deletes a thread whose graphs are nested, and nothing else", async ({ saver }) => {
    const child = new StateGraph(Both).addNode("inner", () => both("inner")).addEdge("__start__", "inner").compile();
    const graph = new StateGraph(Both).addNode("child", child).addEdge("__start__", "child").compile({ checkpointer: saver });
    const other = { configurable: { thread_id: "other" } };
    await graph.invoke(both("a"), config);
    const kept = await graph.invoke(both("b"), other);
    await saver.deleteThread("thread");
    expect((await graph.getState(config)).values).toStrictEqual({});
    expect((await graph.getState(other)).values).toStrictEqual(kept);
    expect(await graph.invoke(both("new"), config)).toMatchObject({ plain: expect.not.arrayContaining(["a"]) as unknown });
  });
});
