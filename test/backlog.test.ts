import { Annotation, StateGraph } from "@langchain/langgraph";
import { afterEach, describe, expect, vi } from "vitest";
import { listed } from "./support/checkpoints.ts";
import { databaseTest, inNode } from "./support/contract.ts";

const State = Annotation.Root({ count: Annotation<number>, log: Annotation<string[]>({ reducer: (log, more) => [...log, ...more], default: () => [] }) });
const steps = inNode ? 300 : 100;

afterEach(() => vi.restoreAllMocks());

/** Commits take a while longer than they do: the last request of a transaction is followed by others for some turns of the event loop. */
function slowDown(): void {
  const { transaction } = IDBDatabase.prototype;
  vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(function (this: IDBDatabase, ...args) {
    const made = transaction.apply(this, args);
    if (args[1] !== "readwrite") return made;
    const store = made.objectStore("revisions");
    let left = 20;
    const end = IDBTransaction.prototype.commit.bind(made);
    const later = (): void => {
      if (left-- > 0) store.count().onsuccess = later;
      else end();
    };
    Object.defineProperty(made, "commit", { value: later, configurable: true, writable: true });
    return made;
  });
}

describe("The backlog", () => {
  databaseTest("of a run is stored one checkpoint after another, and whole in the end", async ({ open }) => {
    slowDown();
    const saver = open({ worker: false });
    let [underWay, most, stored] = [0, 0, 0];
    const put = saver.put.bind(saver);
    saver.put = async (...args) => {
      most = Math.max(most, (underWay += 1));
      const config = await put(...args);
      underWay -= 1;
      stored += 1;
      return config;
    };
    let atTheEnd = 0;
    const graph = new StateGraph(State)
      .addNode("step", ({ count }) => {
        atTheEnd = stored;
        return { count: count + 1, log: [`step ${count}`] };
      })
      .addEdge("__start__", "step")
      .addConditionalEdges("step", ({ count }) => (count < steps ? "step" : "__end__"))
      .compile({ checkpointer: saver });
    const config = { configurable: { thread_id: "thread" }, durability: "async" as const, recursionLimit: steps + 10 };
    const { log } = await graph.invoke({ count: 0 }, config);
    expect(log).toHaveLength(steps);
    expect(most).toBe(1); // what waits is with LangGraph, not encoded here
    expect(atTheEnd).toBeLessThan(steps); // there was a backlog
    expect(stored).toBe(steps + 2);
    const tuples = await listed(saver, config, { limit: 5 });
    expect(tuples[0]?.checkpoint.channel_values["log"]).toStrictEqual(log);
    expect((await saver.verify()).problems).toStrictEqual([]);
  }, 120_000);
});
