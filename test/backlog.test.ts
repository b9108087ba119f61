import { Annotation, StateGraph } from "@langchain/langgraph";
import { afterEach, describe, expect, vi } from "vitest";
import type { IndexedDBSaver } from "../src/index.ts";
import { listed } from "./support/checkpoints.ts";
import { databaseTest, inNode } from "./support/contract.ts";

const kept = 20;
const State = Annotation.Root({
  count: Annotation<number>,
  log: Annotation<string[]>({ reducer: (log, more) => [...log, ...more].slice(-kept), default: () => [] }),
});

/** How many calls share a transaction. */
const BATCH = 64;

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

/** How many calls of a method are under way, and were at most. */
class Calls {
  underWay = 0;
  most = 0;
  done = 0;

  counted<Args extends unknown[], T>(call: (...args: Args) => Promise<T>): (...args: Args) => Promise<T> {
    return async (...args) => {
      this.most = Math.max(this.most, (this.underWay += 1));
      const result = await call(...args);
      this.underWay -= 1;
      this.done += 1;
      return result;
    };
  }
}

interface Run {
  readonly steps: number;
  readonly durability: "async" | "sync";
  /** What a node waits for. */
  readonly turn: () => Promise<void>;
}

/** Runs a graph, and says how much waited to be stored: with the saver, and with LangGraph. */
async function run(saver: IndexedDBSaver, { steps, durability, turn }: Run) {
  const [puts, writes] = [new Calls(), new Calls()];
  saver.put = puts.counted(saver.put.bind(saver));
  saver.putWrites = writes.counted(saver.putWrites.bind(saver));
  let [mostAhead, lastAhead] = [0, 0];
  const graph = new StateGraph(State)
    .addNode("step", async ({ count }) => {
      lastAhead = count + 2 - puts.done; // two come before the first step
      mostAhead = Math.max(mostAhead, lastAhead);
      await turn();
      return { count: count + 1, log: [`step ${count}`] };
    })
    .addEdge("__start__", "step")
    .addConditionalEdges("step", ({ count }) => (count < steps ? "step" : "__end__"))
    .compile({ checkpointer: saver });
  const config = { configurable: { thread_id: "thread" }, durability, recursionLimit: steps + 10 };
  const { log } = await graph.invoke({ count: 0 }, config);
  expect(log).toHaveLength(kept);
  expect(puts.done).toBe(steps + 2);
  const [tuple] = await listed(saver, config, { limit: 1 });
  expect(tuple?.checkpoint.channel_values["log"]).toStrictEqual(log);
  expect((await saver.verify()).problems).toStrictEqual([]);
  return { puts: puts.most, writes: writes.most, mostAhead, lastAhead };
}

/** As a model that answers at once would take. */
const aTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe("The backlog", () => {
  databaseTest("of a run is stored one checkpoint after another, and whole in the end", async ({ open }) => {
    slowDown();
    const steps = inNode ? 5_000 : 100;
    const most = await run(open({ worker: false }), { steps, durability: "async", turn: aTurn });
    expect(most.puts).toBe(1); // the others are with LangGraph, not encoded here
    expect(most.writes).toBeLessThanOrEqual(2 * BATCH); // one transaction that is under way and one that gathers
    expect(most.lastAhead).toBeGreaterThan(steps / 20);
  }, 120_000);

  databaseTest("of nodes that never wait is all of the run: storage gets no turn before it ends", async ({ open }) => {
    slowDown();
    const most = await run(open({ worker: false }), { steps: 100, durability: "async", turn: () => Promise.resolve() });
    expect(most).toMatchObject({ puts: 1, writes: 101, lastAhead: 101 });
  });

  databaseTest("of durability sync is one step", async ({ open }) => {
    slowDown();
    const most = await run(open({ worker: false }), { steps: 100, durability: "sync", turn: () => Promise.resolve() });
    expect(most.puts).toBe(1);
    expect(most.writes).toBeLessThanOrEqual(2);
    expect(most.mostAhead).toBe(0);
  });
});
