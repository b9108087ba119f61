import { AIMessage, type BaseMessage, HumanMessage, mapChatMessagesToStoredMessages } from "@langchain/core/messages";
import { Annotation, DeltaChannel, messagesDeltaReducer, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { listed } from "./checkpoints.ts";

const concat = (left: string[], right: string[]): string[] => [...left, ...right];
const concatAll = (state: string[], writes: string[][]): string[] => state.concat(...writes);

const Inner = Annotation.Root({ notes: () => new DeltaChannel<string[], string[]>(concatAll, { snapshotFrequency: 2 }) });

/** Lists over the same writes as a plain and a delta channel, and messages. */
const State = Annotation.Root({
  plain: Annotation<string[]>({ reducer: concat, default: () => [] }),
  delta: () => new DeltaChannel<string[], string[]>(concatAll, { snapshotFrequency: 4 }),
  messages: () => new DeltaChannel(messagesDeltaReducer, { snapshotFrequency: 1000 }),
});

/**
 * A graph with two nodes at once, a subgraph, and a stop before its last node. `model` says where it runs: what it answers is another thing on
 * every side, as it is with a model.
 */
export function graphOn(checkpointer: BaseCheckpointSaver | false, model: string) {
  let calls = 0;
  const say = (node: string) => `${node} ${model} ${++calls}`;
  const write = (node: string) => () => {
    const text = say(node);
    return { plain: [text], delta: [text], messages: [new AIMessage({ id: text, content: text })] };
  };
  const inner = new StateGraph(Inner)
    .addNode("first", () => ({ notes: [say("first")] }))
    .addNode("second", () => ({ notes: [say("second")] }))
    .addEdge("__start__", "first")
    .addEdge("first", "second")
    .addEdge("second", "__end__")
    .compile({ checkpointer: true });
  const graph = new StateGraph(State)
    .addNode("zeta", write("zeta"))
    .addNode("alpha", write("alpha"))
    .addNode("inner", async (_, config) => void (await inner.invoke({ notes: ["in"] }, config)), { subgraphs: [inner] })
    .addNode("answer", write("answer"))
    .addEdge("__start__", "zeta")
    .addEdge("__start__", "alpha")
    .addEdge("__start__", "inner")
    .addEdge(["zeta", "alpha", "inner"], "answer")
    .addEdge("answer", "__end__")
    .compile({ checkpointer, interruptBefore: ["answer"] });
  return Object.assign(graph, { channelsOf: (namespace: string) => (namespace === "" ? graph.channels : inner.channels) });
}

export type Graph = ReturnType<typeof graphOn>;

export const ask = (text: string) => ({ plain: [text], delta: [text], messages: [new HumanMessage({ id: text, content: text })] });

export interface View {
  readonly namespace: string;
  readonly parent: unknown;
  readonly values: unknown;
  readonly next: readonly string[];
  readonly metadata: unknown;
}

/** What can be seen of a thread's checkpoints, by id. */
export async function viewsOf(graph: Graph, saver: BaseCheckpointSaver, thread: string): Promise<Map<string, View>> {
  const views = new Map<string, View>();
  for (const { config, checkpoint, parentConfig, metadata } of await listed(saver, { configurable: { thread_id: thread } })) {
    const namespace = String(config.configurable?.["checkpoint_ns"] ?? "");
    const { values, next } = await graph.getState(config);
    const { messages, ...others } = values as { messages?: BaseMessage[] };
    views.set(checkpoint.id, {
      namespace,
      parent: parentConfig?.configurable?.["checkpoint_id"],
      values: { ...others, messages: mapChatMessagesToStoredMessages(messages ?? []).map(({ type, data }) => [type, data.id, data.content]) },
      next,
      metadata,
    });
  }
  return views;
}
