import { AIMessage, HumanMessage, type BaseMessage, type ToolMessage } from "@langchain/core/messages";
import { memo } from "react";
import { toolCallsOf, type ToolCall } from "../agent/toolCalls.ts";
import { needsApproval } from "../agent/tools/index.ts";
import { AnswerText } from "./AnswerText.tsx";
import { ToolCard } from "./ToolCard.tsx";

interface Props {
  readonly message: BaseMessage;
  readonly results: ReadonlyMap<string, ToolMessage>;
  readonly busy: boolean;
}

/** A message of the user or the model. Tool messages are shown with the calls they answer. */
function MessageView({ message, results, busy }: Props) {
  if (HumanMessage.isInstance(message)) {
    return (
      <li className="said">
        <span className="visually-hidden">You:</span>
        <p>{message.text}</p>
      </li>
    );
  }
  if (!AIMessage.isInstance(message)) return null;
  const calls = toolCallsOf(message);
  const working = busy ? running(calls.filter(({ id }) => !results.has(id))) : [];
  return (
    <li className="answer">
      <span className="visually-hidden">Agent:</span>
      {message.text !== "" && <AnswerText text={message.text} />}
      {calls.map((call) => (
        <ToolCard key={call.id} call={call} result={results.get(call.id)} working={working.includes(call)} />
      ))}
    </li>
  );
}

/** The graph runs all harmless calls at once, then those with an effect one by one. */
function running(open: readonly ToolCall[]): readonly ToolCall[] {
  const harmless = open.filter((call) => !needsApproval(call));
  return harmless.length > 0 ? harmless : open.slice(0, 1);
}

/** A message changes only by what its own calls have come to. */
function unchanged(before: Props, after: Props): boolean {
  if (before.message !== after.message) return false;
  return toolCallsOf(after.message).every(({ id }) => {
    const result = after.results.get(id);
    return result === before.results.get(id) && (result !== undefined || before.busy === after.busy);
  });
}

export const Message = memo(MessageView, unchanged);
