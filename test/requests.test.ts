import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { Annotation, DeltaChannel, MessagesAnnotation, messagesDeltaReducer, StateGraph } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { withSaver } from "./support/contract.ts";

const kinds = {
  "a plain channel": MessagesAnnotation,
  "a delta channel": Annotation.Root({ messages: () => new DeltaChannel<BaseMessage[], BaseMessage[]>(messagesDeltaReducer, { snapshotFrequency: 1000 }) }),
};

const METHODS = ["get", "getAll", "getAllKeys", "getKey", "openKeyCursor", "openCursor", "count", "put", "add", "delete"] as const;

/** The requests that are made of the database in this realm meanwhile, in order. */
async function requestsOf(act: () => Promise<unknown>): Promise<string[]> {
  const made: string[] = [];
  const restore: (() => void)[] = [];
  for (const prototype of [IDBObjectStore.prototype, IDBIndex.prototype] as unknown as Record<string, (...args: unknown[]) => unknown>[]) {
    for (const method of METHODS) {
      const original = prototype[method];
      if (original === undefined) continue;
      prototype[method] = function (this: { readonly name: string }, ...args: unknown[]) {
        made.push(`${this.name}.${method}`);
        return original.apply(this, args);
      };
      restore.push(() => {
        prototype[method] = original;
      });
    }
  }
  try {
    await act();
    return made;
  } finally {
    for (const undo of restore) undo();
  }
}

describe.each(Object.entries(kinds))("A chat with %s", (_, state) => {
  it("puts three checkpoints, two writes and two messages a turn and reads nothing but the revision, at turn 150 as at turn 40", async () => {
    await withSaver("inline", async (saver) => {
      const graph = new StateGraph(state as typeof MessagesAnnotation)
        .addNode("model", ({ messages }) => ({ messages: [new AIMessage({ id: `a${messages.length}`, content: "an answer of some words ".repeat(9) })] }))
        .addEdge("__start__", "model")
        .addEdge("model", "__end__")
        .compile({ checkpointer: saver });
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
});
