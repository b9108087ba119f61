import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { Annotation, DeltaChannel, MessagesAnnotation, messagesDeltaReducer, StateGraph } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import type { IndexedDBSaver } from "../src/index.ts";
import { freshName, openSaver, withSaver } from "./support/contract.ts";
import { deleteDatabase } from "./support/raw-database.ts";

const kinds = {
  "a plain channel": MessagesAnnotation,
  "a delta channel": Annotation.Root({ messages: () => new DeltaChannel<BaseMessage[], BaseMessage[]>(messagesDeltaReducer, { snapshotFrequency: 1000 }) }),
};

const graphOf = (state: (typeof kinds)[keyof typeof kinds], saver: IndexedDBSaver) =>
  new StateGraph(state as typeof MessagesAnnotation)
    .addNode("model", ({ messages }) => ({ messages: [new AIMessage({ id: `a${messages.length}`, content: "an answer of some words ".repeat(9) })] }))
    .addEdge("__start__", "model")
    .addEdge("model", "__end__")
    .compile({ checkpointer: saver });

const METHODS = ["get", "getAll", "getAllKeys", "getKey", "openKeyCursor", "openCursor", "count", "put", "add", "delete"] as const;

/** Tells of each request that is made of the database in this realm meanwhile. */
async function watched(act: () => Promise<unknown>, onRequest: (name: string, request: IDBRequest) => void): Promise<void> {
  const restore: (() => void)[] = [];
  for (const prototype of [IDBObjectStore.prototype, IDBIndex.prototype] as unknown as Record<string, (...args: unknown[]) => IDBRequest>[]) {
    for (const method of METHODS) {
      const original = prototype[method];
      if (original === undefined) continue;
      prototype[method] = function (this: { readonly name: string }, ...args: unknown[]) {
        const request = original.apply(this, args);
        onRequest(`${this.name}.${method}`, request);
        return request;
      };
      restore.push(() => {
        prototype[method] = original;
      });
    }
  }
  try {
    await act();
  } finally {
    for (const undo of restore) undo();
  }
}

/** The requests, in order. */
async function requestsOf(act: () => Promise<unknown>): Promise<string[]> {
  const made: string[] = [];
  await watched(act, (name) => made.push(name));
  return made;
}

/** How many requests wait for each other, one for the answer to the one before. */
async function depthOf(act: () => Promise<unknown>): Promise<number> {
  let [answered, deepest] = [0, 0];
  await watched(act, (name, request) => {
    if (name === "meta.get") return; // Nothing waits for the database's name.
    const depth = answered + 1;
    deepest = Math.max(deepest, depth);
    request.addEventListener("success", () => {
      answered = Math.max(answered, depth);
    });
  });
  return deepest;
}

describe.each(Object.entries(kinds))("A chat with %s", (_, state) => {
  it("puts three checkpoints, two writes and two messages a turn and reads nothing but the revision, at turn 150 as at turn 40", async () => {
    await withSaver("inline", async (saver) => {
      const graph = graphOf(state, saver);
      const config = { configurable: { thread_id: "thread" } };
      const turn = (n: number) => graph.invoke({ messages: [new HumanMessage({ id: `q${n}`, content: `question ${n} `.repeat(9) })] }, config);
      /** Of three turns the one with the fewest: now and then one merges rows. */
      const fewest = async (from: number) => {
        const each: string[][] = [];
        for (let n = from; n < from + 3; n += 1) each.push(await requestsOf(() => turn(n)));
        return each.toSorted((a, b) => a.length - b.length)[0]!;
      };
      for (let n = 0; n < 40; n += 1) await turn(n);
      // How many transactions share a revision depends on the moment; what they put, and that they read nothing else, does not.
      const steps = [...Array<string>(3).fill("checkpoints.put"), ...Array<string>(2).fill("content.put"), ...Array<string>(2).fill("writes.put")];
      const withoutRevisions = async (from: number) => (await fewest(from)).filter((request) => !request.startsWith("revisions.")).toSorted();
      expect(await withoutRevisions(40)).toStrictEqual(steps);
      for (let n = 43; n < 150; n += 1) await turn(n);
      expect(await withoutRevisions(150)).toStrictEqual(steps);
      expect(await requestsOf(() => graph.getState(config))).toStrictEqual(["revisions.get"]);
    });
  });

  it("is read by a saver that knows nothing in a few answers that wait for each other, in a long thread as in a short one", async () => {
    const name = freshName();
    const config = { configurable: { thread_id: "thread" } };
    let turns = 0;
    // The thread; its revision and what is newest; the content. Before that of a delta channel its path, where that begins, and the keys and rows of the writes there.
    const most = state === MessagesAnnotation ? 3 : 7;
    for (const until of [3, 30, 120]) {
      const writer = openSaver("inline", { name });
      for (; turns < until; turns += 1) {
        await graphOf(state, writer).invoke({ messages: [new HumanMessage({ id: `q${turns}`, content: `question ${turns} `.repeat(9) })] }, config);
      }
      await writer.close();
      const reader = openSaver("inline", { name });
      const depth = await depthOf(async () => {
        const { values } = await graphOf(state, reader).getState(config);
        expect((values as { messages: unknown[] }).messages.length).toBe(2 * turns);
      });
      expect(depth).toBeGreaterThan(2);
      expect(depth).toBeLessThanOrEqual(most);
      await reader.close();
    }
    await deleteDatabase(name);
  });
});
