import { useLiveQuery } from "dexie-react-hooks";
import { ArrowDown } from "lucide-react";
import { useMemo } from "react";
import { resultsByCall, unansweredCalls } from "../agent/toolCalls.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { View } from "../conversation/view.ts";
import { toolRunsOf } from "../store/toolRuns.ts";
import { ApprovalCard } from "./ApprovalCard.tsx";
import { AnswerText } from "./AnswerText.tsx";
import { reported } from "./failures.ts";
import { Message } from "./Message.tsx";
import { RunStatus } from "./RunStatus.tsx";
import { useStickToBottom } from "./useStickToBottom.ts";

interface Props {
  readonly view: View;
  readonly conversation: Conversation;
  readonly openSettings: () => void;
}

export function MessageList({ view, conversation, openSettings }: Props) {
  const { messages, phase, speech } = view;
  const { scroller, content, away, toBottom } = useStickToBottom();
  const results = useMemo(() => resultsByCall(messages), [messages]);
  const runRows = useLiveQuery(() => toolRunsOf(conversation.threadId), [conversation.threadId]);
  const runs = useMemo(() => new Map(runRows?.map((run) => [run.callId, run])), [runRows]);
  const asked = phase === "approval" ? unansweredCalls(messages)[0] : undefined;

  return (
    <div className="messages" ref={scroller} tabIndex={-1}>
      <div className="messages-inner" ref={content}>
        <ol aria-label="Messages">
          {messages.map((message, position) => (
            <Message key={message.id ?? position} message={message} results={results} runs={runs} busy={phase === "running" || phase === "elsewhere"} />
          ))}
        </ol>
        {speech !== "" && (
          <div className="answer" aria-hidden="true">
            <AnswerText text={speech} />
          </div>
        )}
        {asked !== undefined && (
          <ApprovalCard key={asked.id} call={asked} approve={() => reported(conversation.proceed())} decline={() => reported(conversation.decline())} />
        )}
        <RunStatus view={view} proceed={() => reported(conversation.proceed())} openSettings={openSettings} />
      </div>
      {away && (
        <button type="button" className="to-bottom icon-button" aria-label="To the newest message" onClick={toBottom}>
          <ArrowDown />
        </button>
      )}
    </div>
  );
}
