import { ArrowDown, LoaderCircle } from "lucide-react";
import { useEffect, useMemo, type ComponentProps } from "react";
import { Virtualizer } from "virtua";
import { resultsByCall, unansweredCalls } from "../agent/toolCalls.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { copyUpTo } from "../conversation/copy.ts";
import type { View } from "../conversation/view.ts";
import { Alternatives } from "./Alternatives.tsx";
import { AnswerText } from "./AnswerText.tsx";
import { ApprovalCard } from "./ApprovalCard.tsx";
import { reported } from "./failures.ts";
import { Message } from "./Message.tsx";
import { goTo, threadHref } from "./route.ts";
import { rowsOf } from "./rows.ts";
import { RunStatus } from "./RunStatus.tsx";
import { useGrownAbove } from "./useGrownAbove.ts";
import { useStickToBottom } from "./useStickToBottom.ts";

interface Props {
  readonly title: string;
  readonly view: View;
  readonly conversation: Conversation;
  readonly openSettings: () => void;
}

/** What is rendered above and below the screen, in pixels. */
const BUFFER = 1200;

/** A thread of so many messages is in the page as a whole, where the browser's own search finds all of it. */
const WHOLE = 40;

export function MessageList({ title, view, conversation, openSettings }: Props) {
  const { messages, start, at, alternatives, phase, speech } = view;
  const { scroller, content, away, toBottom } = useStickToBottom();
  const results = useMemo(() => resultsByCall(messages), [messages]);
  const rows = useMemo(() => rowsOf(messages, start), [messages, start]);
  const mounted = useMemo(() => (rows.length <= WHOLE ? [...rows.keys()] : []), [rows]);
  const grownAbove = useGrownAbove(start, rows.at(-1)?.message.id);
  const asked = phase === "approval" ? unansweredCalls(messages)[0] : undefined;
  const busy = phase === "running" || phase === "elsewhere";

  useEffect(() => {
    if (phase === "running") toBottom();
  }, [phase, toBottom]);

  const loadNearTop = (offset: number) => {
    if (offset < BUFFER && start > 0) reported(conversation.loadEarlier());
  };
  useEffect(() => {
    const box = scroller.current;
    if (box !== null && start > 0 && box.scrollHeight <= box.clientHeight + BUFFER) reported(conversation.loadEarlier());
  });

  const actions = useMemo(
    () => ({
      edit: (position: number, text: string) => reported(conversation.edit(position, text)),
      regenerate: (position: number) => reported(conversation.regenerate(position)),
      choose: (tip: string) => reported(conversation.choose(tip)),
      copy: (position: number) => {
        if (at !== undefined) reported(copyUpTo(position, { threadId: conversation.threadId, at, title: `${title} (copy)` }).then((copy) => goTo(threadHref(copy))));
      },
    }),
    [conversation, at, title],
  );
  const unanswered = alternatives.get(start + messages.length);

  return (
    <div className="messages" ref={scroller} tabIndex={-1}>
      {start > 0 && (
        <p className="earlier">
          <LoaderCircle className="turning" /> {start.toLocaleString("en")} earlier messages
        </p>
      )}
      <div className="messages-inner" ref={content}>
        <Virtualizer as={List} item="li" scrollRef={scroller} shift={grownAbove} bufferSize={BUFFER} keepMounted={mounted} onScroll={loadNearTop} data={rows}>
          {({ message, position }) => (
            <Message
              key={message.id ?? position}
              message={message}
              position={position}
              results={results}
              busy={busy}
              canFork={!busy && phase !== "loading" && phase !== "unreadable"}
              alternative={alternatives.get(position)}
              actions={actions}
            />
          )}
        </Virtualizer>
        {unanswered !== undefined && !busy && (
          <div className="message-actions">
            <Alternatives alternative={unanswered} choose={actions.choose} />
          </div>
        )}
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

const List = (props: ComponentProps<"ol">) => <ol aria-label="Messages" {...props} />;
