import { AIMessage, HumanMessage, type BaseMessage } from "@langchain/core/messages";
import { resultsByCall, toolCallsOf, type ToolCall } from "../../toolCalls.ts";

export interface Answered {
  readonly call: ToolCall;
  readonly content: string;
  readonly failed: boolean;
}

/** The newest request and what was done about it so far. */
export interface Turn {
  readonly text: string;
  readonly started: boolean;
  readonly answered: readonly Answered[];
}

export function newestTurn(messages: readonly BaseMessage[]): Turn {
  const start = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  const since = messages.slice(start + 1);
  const results = resultsByCall(since);
  const answered = since.flatMap(toolCallsOf).flatMap((call) => {
    const result = results.get(call.id);
    return result === undefined ? [] : [{ call, content: result.text, failed: result.status === "error" }];
  });
  return { text: messages[start]?.text ?? "", started: since.some((message) => AIMessage.isInstance(message)), answered };
}
