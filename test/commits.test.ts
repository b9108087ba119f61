import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { HumanMessage } from "@langchain/core/messages";
import { expect } from "vitest";
import { CheckpointError } from "../src/index.ts";
import { at, checkpointId, listedIds, put, tupleAt, valuesAt } from "./support/checkpoints.ts";
import { allImplementations, contract } from "./support/contract.ts";
import { errorOf } from "./support/errors.ts";
import { faultySaver } from "./support/faulty-saver.ts";
import { readRows } from "./support/raw-database.ts";

const always = 1_000_000;
const thread = at("thread");

contract("Acknowledged means committed", (it, implementation) => {
  it("a put that resolved is there for everyone", async ({ saver, database }) => {
    await put(saver, thread, 1, { values: { a: 1 } });
    expect((await readRows(database)).filter(({ store }) => store === "checkpoints")).toHaveLength(1);
  });

  it("a full disk at the commit rejects the put, and nothing of it is stored", async ({ open, database, reopen }) => {
    const { saver, failCommits } = faultySaver(implementation, open);
    const first = await put(saver, thread, 1, { values: { list: ["a"], title: "t" } });
    await saver.putWrites(first, [["list", "b"]], "task");
    const before = await readRows(database);

    failCommits({ count: always, error: "QuotaExceededError" });
    const error = await errorOf(put(saver, first, 2, { values: { list: ["a", "b"], title: "u" } }));
    expect(error).toMatchObject({ code: "quota-exceeded", cause: { name: "QuotaExceededError" } });
    expect((await errorOf(saver.putWrites(first, [["list", "c"]], "another task"))).code).toBe("quota-exceeded");
    expect((await errorOf(saver.deleteThread("thread"))).code).toBe("quota-exceeded");
    failCommits({ count: 0 });

    expect(await readRows(database)).toStrictEqual(before);
    expect(await listedIds(saver, thread)).toStrictEqual([checkpointId(1)]);
    const second = await put(saver, first, 2, { values: { list: ["a", "x"], title: "u" } });
    const third = await put(saver, second, 3, { values: { list: ["a", "x", "b"], title: "u" }, versions: { list: 3, title: 2 }, newVersions: { list: 3 } });
    const state = async (reader: typeof saver) => [
      await valuesAt(reader, first),
      await valuesAt(reader, second),
      await valuesAt(reader, third),
      (await tupleAt(reader, first)).pendingWrites,
    ];
    const expected = [{ list: ["a"], title: "t" }, { list: ["a", "x"], title: "u" }, { list: ["a", "x", "b"], title: "u" }, [["task", "list", "b"]]];
    expect(await state(saver)).toStrictEqual(expected);
    expect(await state(await reopen())).toStrictEqual(expected);
  });

  it.for([{ name: null }, { name: "UnknownError" }, { name: "AbortError" }])("one transient failure ($name) is tried again inside", async ({ name }, { open }) => {
    const { saver, failCommits } = faultySaver(implementation, open);
    failCommits({ count: 1, error: name });
    const first = await put(saver, thread, 1, { values: { list: ["a"] } });
    failCommits({ count: 1, error: name });
    await saver.putWrites(first, [["list", "b"]], "task");
    failCommits({ count: 1, error: name });
    const second = await put(saver, first, 2, { values: { list: ["a", "b"] } });

    expect(await valuesAt(saver, second)).toStrictEqual({ list: ["a", "b"] });
    expect((await tupleAt(saver, first)).pendingWrites).toStrictEqual([["task", "list", "b"]]);
    failCommits({ count: 1, error: name });
    await saver.deleteThread("thread");
    expect(await saver.getTuple(thread)).toBeUndefined();
  });

  it("a transaction that ends with requests on their way leaves no rejection behind, and is tried again", async ({ open }) => {
    const { saver, failCommits } = faultySaver(implementation, open);
    const first = await put(saver, thread, 1, { values: { list: ["a"], title: "t" } });
    for (const error of [null, "UnknownError", "AbortError"]) {
      failCommits({ count: 1, error, at: "midway" });
      await put(saver, first, 2, { values: { list: ["a", "b", "c"], title: "u" } });
      failCommits({ count: 1, error, at: "midway" });
      await saver.putWrites(first, [["list", "b"], ["title", "u"]], `task ${error}`);
    }
    expect(await valuesAt(saver, at("thread", "", 2))).toStrictEqual({ list: ["a", "b", "c"], title: "u" });
    expect((await tupleAt(saver, first)).pendingWrites).toHaveLength(6);
  });

  it.for([{ name: null }, { name: "UnknownError" }])("a second failure ($name) is an error, and the saver goes on afterwards", async ({ name }, { open, database }) => {
    const { saver, failCommits } = faultySaver(implementation, open);
    const first = await put(saver, thread, 1, { values: { list: ["a"] } });
    const before = await readRows(database);
    failCommits({ count: always, error: name });
    const error = await errorOf(put(saver, first, 2, { values: { list: ["a", "b"] } }));
    failCommits({ count: 0 });
    expect(error.code).toBe("transaction-failed");
    expect(CheckpointError.is(error)).toBe(true);
    expect(error.message.length).toBeGreaterThan(20);
    expect(await readRows(database)).toStrictEqual(before);

    const second = await put(saver, first, 2, { values: { list: ["a", "c"] } });
    expect(await valuesAt(saver, second)).toStrictEqual({ list: ["a", "c"] });
  });

  it("steps that share a failed transaction do not take each other down", async ({ open }) => {
    const { saver, failCommits } = faultySaver(implementation, open);
    await put(saver, thread, 0, { values: { list: [] } });
    failCommits({ count: 1, error: "UnknownError", after: 1 });
    const stored: Promise<unknown>[] = [];
    for (let n = 1; n <= 20; n += 1) {
      stored.push(put(saver, at("thread", "", n - 1), n, { values: { list: Array.from({ length: n }, (_, k) => k) } }));
      stored.push(saver.putWrites(at("thread", "", n), [["list", n]], "task"));
    }
    await Promise.all(stored);
    for (let n = 1; n <= 20; n += 1) {
      const tuple = await tupleAt(saver, at("thread", "", n));
      expect(tuple.checkpoint.channel_values).toStrictEqual({ list: Array.from({ length: n }, (_, k) => k) });
      expect(tuple.pendingWrites).toStrictEqual([["task", "list", n]]);
    }
  });

  it("each step that fails for good rejects by itself, and only that", async ({ open }) => {
    const { saver, failCommits } = faultySaver(implementation, open);
    await put(saver, thread, 0);
    failCommits({ count: always, error: "QuotaExceededError" });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => put(saver, thread, n + 1, { values: { n } })));
    failCommits({ count: 0 });
    expect(outcomes.map((outcome) => (outcome.status === "rejected" ? (outcome.reason as CheckpointError).code : "stored"))).toStrictEqual(Array.from({ length: 10 }, () => "quota-exceeded"));
    expect(await listedIds(saver, thread)).toStrictEqual([checkpointId(0)]);
  });

  it.for(["sync", "async", "exit"] as const)("a run whose steps cannot be stored rejects once, with durability %s", async (durability, { open }) => {
    const { saver, failCommits } = faultySaver(implementation, open);
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("answer", ({ messages }) => ({ messages: [new HumanMessage({ id: `a${messages.length}`, content: "answer" })] }))
      .addEdge("__start__", "answer")
      .addEdge("answer", "__end__")
      .compile({ checkpointer: saver });
    const config = { configurable: { thread_id: "run" }, durability };
    await graph.invoke({ messages: [new HumanMessage({ id: "q1", content: "question" })] }, config);
    failCommits({ count: always, error: "QuotaExceededError" });
    const error = await errorOf(graph.invoke({ messages: [new HumanMessage({ id: "q2", content: "question" })] }, config));
    failCommits({ count: 0 });
    expect(error.code).toBe("quota-exceeded");
    const { values } = await graph.getState(config);
    expect((values as typeof MessagesAnnotation.State).messages.map(({ id }) => id)).toStrictEqual(["q1", "a1"]);
  });
}, allImplementations);
