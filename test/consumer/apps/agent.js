import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph/web";

/** Runs one turn, and shows what the thread held before and what it holds after.
 * @param {import("@langchain/langgraph-checkpoint").BaseCheckpointSaver} checkpointer */
export async function turn(checkpointer) {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("answer", ({ messages }) => ({ messages: [new AIMessage(`answer ${messages.length}`)] }))
    .addEdge(START, "answer")
    .addEdge("answer", END)
    .compile({ checkpointer });
  const config = { configurable: { thread_id: "t1" } };

  /** @param {string} id */
  const show = async (id) => {
    const { values } = await graph.getState(config);
    /** @type {import("@langchain/core/messages").BaseMessage[]} */
    const messages = values.messages ?? [];
    const element = /** @type {HTMLElement} */ (document.getElementById(id));
    element.textContent = messages.map(({ type, text }) => `${type}: ${text}`).join(", ") || "nothing";
  };
  await show("before");
  await graph.invoke({ messages: [{ role: "user", content: "hello" }] }, config);
  await show("after");
}
