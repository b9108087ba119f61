import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { Annotation, DeltaChannel, messagesDeltaReducer, StateGraph } from "@langchain/langgraph";
import { type BaseCheckpointSaver, MemorySaver } from "@langchain/langgraph-checkpoint";
import { expect } from "vitest";
import { contract } from "./support/contract.ts";

/** Two steps a turn, the second of which can be waited for. */
function build(checkpointer: BaseCheckpointSaver, snapshotFrequency: number) {
  const State = Annotation.Root({
    log: () => new DeltaChannel<string[], string[]>((state, writes) => state.concat(...writes), { snapshotFrequency }),
    messages: () => new DeltaChannel<BaseMessage[], BaseMessage[]>(messagesDeltaReducer, { snapshotFrequency }),
    plain: Annotation<string[]>({ reducer: (left, right) => [...left, ...right], default: () => [] }),
  });
  return new StateGraph(State)
    .addNode("think", ({ log }) => ({ log: [`thought ${log.length}`], plain: [`thought ${log.length}`] }))
    .addNode("say", ({ messages }) => ({ messages: [new HumanMessage({ id: `answer ${messages.length}`, content: "an answer" })] }))
    .addEdge("__start__", "think")
    .addEdge("think", "say")
    .addEdge("say", "__end__")
    .compile({ checkpointer, interruptBefore: ["say"] });
}
type Graph = ReturnType<typeof build>;

const thread = { configurable: { thread_id: "thread" } };

/** A question, answered or left waiting. */
async function turn(graph: Graph, n: number, isAnswered = true): Promise<void> {
  await graph.invoke({ log: [`input ${n}`], messages: [new HumanMessage({ id: `question ${n}`, content: `question ${n}` })] }, thread);
  if (isAnswered) await graph.invoke(null, thread);
}

async function stateOf(graph: Graph, config: object = thread): Promise<unknown> {
  const { values, next, tasks, metadata } = await graph.getState(config);
  const { log, plain, messages } = values as { log: string[]; plain: string[]; messages: BaseMessage[] };
  const counters = (metadata as Record<string, unknown> | undefined)?.["counters_since_delta_snapshot"];
  return { log, plain, messages: messages.map(({ id, content }) => [id, content]), next, tasks: tasks.map(({ name }) => name), step: metadata?.step, counters };
}

contract("A graph with delta channels", (it) => {
  it.for([1, 3, 1000])("has the same state after all its past has gone, and goes on from it, with snapshots every %i", async (snapshotFrequency, { saver, reopen }) => {
    const memory = build(new MemorySaver(), snapshotFrequency);
    let graph = build(saver, snapshotFrequency);
    for (let n = 1; n <= 4; n += 1) for (const each of [graph, memory]) await turn(each, n);
    await saver.prune(["thread"]);
    expect(await stateOf(graph)).toStrictEqual(await stateOf(memory));
    for (const each of [graph, memory]) await turn(each, 5, false);
    await saver.prune(["thread"]);
    graph = build(await reopen(), snapshotFrequency);
    expect(await stateOf(graph)).toStrictEqual(await stateOf(memory));
    for (const each of [graph, memory]) {
      await each.invoke(null, thread);
      await turn(each, 6);
    }
    expect(await stateOf(graph)).toStrictEqual(await stateOf(memory));
  });

  it("has each state that stays, by the thread store's policy, and forks from it", async ({ saver }) => {
    const graph = build(saver, 4);
    for (let n = 1; n <= 4; n += 1) await turn(graph, n);
    const before = new Map<string, unknown>();
    for await (const { config } of graph.getStateHistory(thread)) before.set(String(config.configurable?.["checkpoint_id"]), await stateOf(graph, config));
    await saver.threads.prune({ keepLast: 3 });
    const left = [];
    for await (const { config } of graph.getStateHistory(thread)) {
      left.push(config);
      expect(await stateOf(graph, config)).toStrictEqual(before.get(String(config.configurable?.["checkpoint_id"])));
    }
    expect(left).toHaveLength(3);
    const oldest = left.at(-1)!;
    const fork = await graph.updateState(oldest, { log: ["forked"] }, "think");
    const { values } = await graph.getState(fork);
    const { log } = (await graph.getState(oldest)).values as { log: string[] };
    expect((values as { log: string[] }).log).toStrictEqual([...log, "forked"]);
    expect((await saver.verify()).problems).toStrictEqual([]);
  });
});
