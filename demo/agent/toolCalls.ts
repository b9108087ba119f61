import { AIMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export function toolCallsOf(message: BaseMessage): ToolCall[] {
  if (!AIMessage.isInstance(message)) return [];
  return (message.tool_calls ?? []).map(({ id, name, args }) => ({ id: id ?? name, name, args }));
}

export function resultsByCall(messages: readonly BaseMessage[]): Map<string, ToolMessage> {
  return new Map(messages.filter((message) => ToolMessage.isInstance(message)).map((message) => [message.tool_call_id, message]));
}

/** The calls of the newest model message that no tool message answers yet. */
export function unansweredCalls(messages: readonly BaseMessage[]): ToolCall[] {
  const newest = messages.findLast((message) => AIMessage.isInstance(message));
  const answered = resultsByCall(messages);
  return newest ? toolCallsOf(newest).filter((call) => !answered.has(call.id)) : [];
}

export function answer(call: ToolCall, content: string, status: "success" | "error" = "success"): ToolMessage {
  return new ToolMessage({ id: `${call.id}-answer`, tool_call_id: call.id, name: call.name, content, status });
}

/** Answers for the calls of a turn that is given up, so that no call stays open for the next one. */
export function closingAnswers(messages: readonly BaseMessage[]): ToolMessage[] {
  const newest = messages.findLast((message) => AIMessage.isInstance(message));
  const answered = resultsByCall(messages);
  return newest ? toolCallsOf(newest).map((call) => answered.get(call.id) ?? answer(call, "Not done: the run was stopped.", "error")) : [];
}
