import type { BaseMessage } from "@langchain/core/messages";
import { END, Send, START, StateGraph, type BaseCheckpointSaver, type LangGraphRunnableConfig } from "@langchain/langgraph/web";
import type { ChatModel } from "./models/model.ts";
import { ChatState, DeltaChatState } from "./state.ts";
import { unansweredCalls, type ToolCall } from "./toolCalls.ts";

export type RunTool = (call: ToolCall, config: LangGraphRunnableConfig) => Promise<BaseMessage>;

export interface Agent {
  readonly checkpointer: BaseCheckpointSaver;
  /** What the state's channels are: plain ones, if nothing is said. */
  readonly state?: typeof ChatState | typeof DeltaChatState;
  readonly model: ChatModel;
  readonly runTool: RunTool;
  readonly needsApproval: (call: ToolCall) => boolean;
}

/**
 * model ─┬─ Send each harmless call ─→ tool ─→ gathered ─┬─→ model
 *        ├─ only calls with an effect ───────────────────┴─→ effect ─┬─→ model
 *        └─ no calls ─→ END                                  ↑───────┘ one at a time
 *
 * The run stops before `effect`, and the stop is a checkpoint: approval is asked again after a reload.
 */
export function chatGraph({ checkpointer, state = ChatState, model, runTool, needsApproval }: Agent) {
  const afterModel = ({ messages }: ChatState) => {
    const calls = unansweredCalls(messages);
    const harmless = calls.filter((call) => !needsApproval(call));
    if (harmless.length > 0) return harmless.map((call) => new Send("tool", { call }));
    return calls.length > 0 ? "effect" : END;
  };
  const afterTools = ({ messages }: ChatState) => (unansweredCalls(messages).length > 0 ? "effect" : "model");

  return new StateGraph(state)
    .addNode("model", async ({ messages }, config: LangGraphRunnableConfig) => ({
      messages: [await model(messages, { signal: config.signal, onToken: (token) => config.writer?.(token) })],
    }))
    .addNode("tool", async ({ call }: { call: ToolCall }, config: LangGraphRunnableConfig) => ({
      messages: [await runTool(call, config)],
    }))
    .addNode("gathered", () => ({}))
    .addNode("effect", async ({ messages }, config: LangGraphRunnableConfig) => ({
      messages: await Promise.all(unansweredCalls(messages).slice(0, 1).map((call) => runTool(call, config))),
    }))
    .addEdge(START, "model")
    .addConditionalEdges("model", afterModel, ["tool", "effect", END])
    .addEdge("tool", "gathered")
    .addConditionalEdges("gathered", afterTools, ["effect", "model"])
    .addConditionalEdges("effect", afterTools, ["effect", "model"])
    .compile({ checkpointer, interruptBefore: ["effect"] });
}
