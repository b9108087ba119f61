import { HumanMessage, type BaseMessage, type ToolMessage } from "@langchain/core/messages";
import { GitBranchPlus, RefreshCw } from "lucide-react";
import { memo } from "react";
import { toolCallsOf, type ToolCall } from "../agent/toolCalls.ts";
import { needsApproval } from "../agent/tools/index.ts";
import type { Alternative } from "../conversation/alternatives.ts";
import { Alternatives } from "./Alternatives.tsx";
import { AnswerText } from "./AnswerText.tsx";
import { SaidMessage } from "./SaidMessage.tsx";
import { ToolCard } from "./ToolCard.tsx";

export interface MessageActions {
  readonly edit: (position: number, text: string) => void;
  readonly regenerate: (position: number) => void;
  readonly choose: (tip: string) => void;
  readonly copy: (position: number) => void;
}

export interface MessageProps {
  readonly message: BaseMessage;
  readonly position: number;
  readonly results: ReadonlyMap<string, ToolMessage>;
  readonly busy: boolean;
  readonly canFork: boolean;
  readonly alternative: Alternative | undefined;
  readonly actions: MessageActions;
}

/** A message of the user or the model. Tool messages are shown with the calls they answer. */
function MessageView(props: MessageProps) {
  const { message, position, results, busy, canFork, alternative, actions } = props;
  if (HumanMessage.isInstance(message)) return <SaidMessage {...props} />;
  const calls = toolCallsOf(message);
  const working = busy ? running(calls.filter(({ id }) => !results.has(id))) : [];
  return (
    <div className="answer">
      <span className="visually-hidden">Agent:</span>
      {message.text !== "" && <AnswerText text={message.text} />}
      {calls.map((call) => (
        <ToolCard key={call.id} call={call} result={results.get(call.id)} working={working.includes(call)} />
      ))}
      {(calls.length === 0 || alternative !== undefined) && (
        <div className="message-actions">
          {alternative !== undefined && canFork && <Alternatives alternative={alternative} choose={actions.choose} />}
          {calls.length === 0 && canFork && (
            <span className="on-hover">
              <button type="button" className="icon-button tiny" aria-label="Answer again" title="Answer again, on a branch" onClick={() => actions.regenerate(position)}>
                <RefreshCw />
              </button>
              <button type="button" className="icon-button tiny" aria-label="New thread from here" title="New thread from here" onClick={() => actions.copy(position)}>
                <GitBranchPlus />
              </button>
            </span>
          )}
        </div>
      )}
    </div>
  );
}

/** The graph runs all harmless calls at once, then those with an effect one by one. */
function running(open: readonly ToolCall[]): readonly ToolCall[] {
  const harmless = open.filter((call) => !needsApproval(call));
  return harmless.length > 0 ? harmless : open.slice(0, 1);
}

/** Beside what is its own, a message changes only by what its calls have come to. */
function unchanged(before: MessageProps, after: MessageProps): boolean {
  const own = ["message", "position", "canFork", "alternative", "actions"] as const;
  if (own.some((name) => before[name] !== after[name])) return false;
  return toolCallsOf(after.message).every(({ id }) => {
    const result = after.results.get(id);
    return result === before.results.get(id) && (result !== undefined || before.busy === after.busy);
  });
}

export const Message = memo(MessageView, unchanged);
