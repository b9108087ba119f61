import { ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import type { LangGraphRunnableConfig } from "@langchain/langgraph/web";
import { recordFinish, recordStart } from "../store/toolRuns.ts";
import type { RunTool } from "./graph.ts";
import { answer, type ToolCall } from "./toolCalls.ts";
import { tools } from "./tools/index.ts";

const byName = new Map<string, StructuredToolInterface>(tools.map((tool) => [tool.name, tool]));

async function outcome(tool: StructuredToolInterface, call: ToolCall, config: LangGraphRunnableConfig): Promise<ToolMessage> {
  try {
    const output: unknown = await tool.invoke({ ...call, type: "tool_call" }, config);
    return answer(call, ToolMessage.isInstance(output) ? output.text : String(output));
  } catch (error) {
    config.signal?.throwIfAborted();
    return answer(call, error instanceof Error ? error.message : String(error), "error");
  }
}

/** Runs one call. What a tool throws becomes an answer the model can read; a stopped run stays an error. */
export const runTool: RunTool = async (call, config) => {
  const tool = byName.get(call.name);
  if (tool === undefined) return answer(call, `There is no tool called ${call.name}.`, "error");
  await recordStart(call.id, String(config.configurable?.["thread_id"]), call.name);
  const message = await outcome(tool, call, config);
  await recordFinish(call.id);
  return message;
};
