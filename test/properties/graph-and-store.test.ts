import { Annotation, DeltaChannel, StateGraph } from "@langchain/langgraph";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IndexedDBSaver } from "../../src/index.ts";
import { aggregate, CheckpointError, delta } from "../../src/threads/index.ts";
import { freshName, type Implementation, implementations, openSaver } from "../support/contract.ts";
import { deleteDatabase } from "../support/raw-database.ts";
import { runs } from "../support/runs.ts";

const concat = (state: readonly string[], writes: readonly (string | readonly string[])[]): string[] => [...state, ...writes.flat()];

const State = Annotation.Root({
  plain: Annotation<string[], string | string[]>({ reducer: (state, write) => concat(state, [write]), default: () => [] }),
  delta: () => new DeltaChannel(concat, { snapshotFrequency: 3 }),
});

const channels = {
  plain: aggregate((state: readonly string[], write: string | readonly string[]) => concat(state, [write]), { initial: () => [] }),
  delta: delta(concat, { snapshotFrequency: 2 }),
};

function graphOn(checkpointer: IndexedDBSaver) {
  return new StateGraph(State)
    .addNode("first", ({ plain }) => ({ plain: [`first ${plain.length}`], delta: [`first ${plain.length}`] }))
    .addNode("second", ({ plain }) => ({ plain: `second ${plain.length}`, delta: `second ${plain.length}` }))
    .addEdge("__start__", "first")
    .addEdge("first", "second")
    .addEdge("second", "__end__")
    .compile({ checkpointer });
}

/** What is done, and at which of the checkpoints so far: undefined is the newest. */
const act = fc.record({
  kind: fc.constantFrom("invoke", "update", "append", "append", "append nothing"),
  from: fc.option(fc.nat(40), { nil: undefined, freq: 2 }),
});

async function follow(implementation: Implementation, acts: readonly { kind: string; from: number | undefined }[]): Promise<void> {
  const name = freshName();
  const saver = openSaver(implementation, { name, channels });
  const graph = graphOn(saver);
  const thread = saver.threads.thread("t");
  const ids = async () => {
    const found: string[] = [];
    for await (const { config } of saver.list({ configurable: { thread_id: "t" } })) found.unshift(String(config.configurable?.["checkpoint_id"]));
    return found;
  };
  try {
    for (const [number, { kind, from }] of acts.entries()) {
      const known = await ids();
      const at = from === undefined || known.length === 0 ? undefined : known[from % known.length];
      const config = { configurable: { thread_id: "t", ...(at === undefined ? {} : { checkpoint_id: at }) } };
      const write = { plain: [`${kind} ${number}`], delta: [`${kind} ${number}`] };
      if (kind === "invoke") await graph.invoke(write, config);
      else if (kind === "update") await graph.updateState(config, write, "second");
      else {
        const handle = at === undefined ? thread : thread.fork(at);
        await handle.values();
        await handle.append(kind === "append" ? write : {}, { stale: "fork" });
      }
    }
    await saver.close();
    const again = openSaver(implementation, { name, channels });
    const [reader, handle] = [graphOn(again), again.threads.thread("t")];
    for await (const { config } of again.list({ configurable: { thread_id: "t" } })) {
      const at = String(config.configurable?.["checkpoint_id"]);
      const ours = await handle.values({ at });
      const theirs = (await reader.getState({ configurable: { thread_id: "t", checkpoint_id: at } })).values as Record<string, unknown>;
      expect(ours["delta"]).toStrictEqual(ours["plain"]);
      expect({ plain: [], delta: [], ...theirs }).toStrictEqual(ours);
    }
    expect((await again.verify()).problems).toStrictEqual([]);
    await again.close();
  } catch (error) {
    await saver.close();
    throw CheckpointError.is(error) ? new Error(error.message, { cause: error }) : error;
  } finally {
    await deleteDatabase(name);
  }
}

describe.each(implementations)("A thread that a graph and a thread store write by turns (%s)", (implementation) => {
  it("is the same to both, and a delta channel the same as a plain one, at every checkpoint", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 10 }), (acts) => follow(implementation, acts)),
      runs(40),
    );
  });
});
