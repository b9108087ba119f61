import { History } from "lucide-react";
import { useMemo, useState } from "react";
import { resultsByCall } from "../../agent/toolCalls.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import { reported } from "../../ui/failures.ts";
import { Message, type MessageActions } from "../../ui/Message.tsx";
import { rowsOf } from "../../ui/rows.ts";
import { shortTime } from "../../ui/time.ts";
import { useStickToBottom } from "../../ui/useStickToBottom.ts";
import { backToNow, type Visit } from "../inspection.ts";
import { Failed } from "../Panel.tsx";
import { useMessagesAt } from "./useMessagesAt.ts";

const PAGE = 40;

const nothing = () => undefined;

/** What was said can only be looked at. */
const none: MessageActions = { edit: nothing, regenerate: nothing, choose: nothing, copy: nothing };

interface Props {
  readonly visit: Visit;
  readonly conversation: Conversation;
}

/** The conversation as it was at a step, in place of the present one. */
export function ThreadAt({ visit, conversation }: Props) {
  const [count, setCount] = useState(PAGE);
  const { found, problem } = useMessagesAt(visit, count);
  const { scroller, content } = useStickToBottom();
  const results = useMemo(() => resultsByCall(found?.messages ?? []), [found]);
  const rows = useMemo(() => rowsOf(found?.messages ?? [], found?.before ?? 0), [found]);

  const goOn = async () => {
    await conversation.forkFrom(visit.checkpoint);
    backToNow();
  };

  return (
    <>
      <div className="messages past" ref={scroller} tabIndex={-1}>
        <div className="messages-inner" ref={content}>
          {problem !== undefined && <Failed problem={problem} again={backToNow} />}
          {found !== undefined && found.before > 0 && (
            <button type="button" className="button small" onClick={() => setCount(count + PAGE)}>
              Show earlier messages
            </button>
          )}
          {found?.messages.length === 0 && <p className="panel-empty">The thread had no messages at this step.</p>}
          <ol aria-label="Messages">
            {rows.map(({ message, position }) => (
              <li key={message.id ?? position}>
                <Message
                  message={message}
                  position={position}
                  results={results}
                  busy={false}
                  canFork={false}
                  alternative={undefined}
                  actions={none}
                />
              </li>
            ))}
          </ol>
        </div>
      </div>
      <section className="past-banner" aria-label="Time travel">
        <History />
        <p role="status">
          <strong>The thread as of step {found?.step ?? "…"}</strong>
          <small>{found?.created !== undefined && `Stored ${shortTime(found.created.getTime())}. `}What came after is kept, whichever way you go on.</small>
        </p>
        <div className="past-actions">
          <button type="button" className="button small" onClick={backToNow}>
            Back to now
          </button>
          <button type="button" className="button primary small" onClick={() => reported(goOn())}>
            Continue from here
          </button>
        </div>
      </section>
    </>
  );
}
