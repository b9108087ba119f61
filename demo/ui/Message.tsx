import { AIMessage, HumanMessage, type BaseMessage, type ToolMessage } from "@langchain/core/messages";
import { memo } from "react";
import { toolCallsOf } from "../agent/toolCalls.ts";
import type { ToolRunRow } from "../store/database.ts";
import { AnswerText } from "./AnswerText.tsx";
import { ToolCard } from "./ToolCard.tsx";

interface Props {
  readonly message: BaseMessage;
  readonly results: ReadonlyMap<string, ToolMessage>;
  readonly runs: ReadonlyMap<string, ToolRunRow>;
  readonly busy: boolean;
}

/** A message of the user or the model. Tool messages are shown with the calls they answer. */
function MessageView({ message, results, runs, busy }: Props) {
  if (HumanMessage.isInstance(message)) {
    return (
      <li className="said">
        <span className="visually-hidden">You:</span>
        <p>{message.text}</p>
      </li>
    );
  }
  if (!AIMessage.isInstance(message)) return null;
  return (
    <li className="answer">
      <span className="visually-hidden">Agent:</span>
      {message.text !== "" && <AnswerText text={message.text} />}
      {toolCallsOf(message).map((call) => (
        <ToolCard key={call.id} call={call} result={results.get(call.id)} run={runs.get(call.id)} busy={busy} />
      ))}
    </li>
  );
}

/** A message changes only by what its own calls have come to. */
function unchanged(before: Props, after: Props): boolean {
  if (before.message !== after.message) return false;
  return toolCallsOf(after.message).every(
    ({ id }) =>
      before.busy === after.busy && before.results.get(id) === after.results.get(id) && before.runs.get(id) === after.runs.get(id),
  );
}

export const Message = memo(MessageView, unchanged);
