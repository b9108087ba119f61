import { MessagesAnnotation, StateGraph } from "@langchain/langgraph/web";
import { CheckpointError, IndexedDBSaver } from "langgraph-checkpoint-indexeddb";

await using saver = new IndexedDBSaver({ name: "my-agent", worker: true, durability: "relaxed" });
const graph = new StateGraph(MessagesAnnotation)
  .addNode("answer", () => ({ messages: [] }))
  .addEdge("__start__", "answer")
  .compile({ checkpointer: saver });

try {
  await graph.invoke({ messages: [] }, { configurable: { thread_id: "t1" } });
} catch (error) {
  if (CheckpointError.is(error)) console.error(error.code);
}
