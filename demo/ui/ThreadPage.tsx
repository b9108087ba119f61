import type { ThreadInfo } from "langgraph-checkpoint-indexeddb/threads";
import { useEffect, type ReactNode } from "react";
import { InspectButton } from "../inspect/InspectButton.tsx";
import { useVisit } from "../inspect/inspection.ts";
import { ThreadAt } from "../inspect/time/ThreadAt.tsx";
import type { Settings } from "../store/settings.ts";
import { titleOf } from "../store/threads.ts";
import { Composer } from "./Composer.tsx";
import { reported } from "./failures.ts";
import { MessageList } from "./MessageList.tsx";
import { ModelLine } from "./ModelLine.tsx";
import { StorageNotice } from "./StorageNotice.tsx";
import { ThreadMenu } from "./ThreadMenu.tsx";
import { useConversation } from "./useConversation.ts";

interface Props {
  readonly threadId: string;
  /** Nothing while the list of threads cannot be read. */
  readonly thread: ThreadInfo | undefined;
  readonly menu: ReactNode;
  readonly settings: Settings;
  readonly openSettings: () => void;
}

export function ThreadPage({ threadId, thread, menu, settings, openSettings }: Props) {
  const [view, conversation] = useConversation(threadId);
  const { phase, step } = view;
  const visit = useVisit(threadId);
  const title = thread === undefined ? "Thread" : titleOf(thread);

  useEffect(() => {
    document.title = `${title} · Durable threads`;
    return () => {
      document.title = "Durable threads";
    };
  }, [title]);

  const busy = phase === "running" || phase === "elsewhere";

  return (
    <main className="page">
      <header className="page-head">
        {menu}
        <h1 className="page-title">{title}</h1>
        {step !== undefined && !busy && (
          <span className="step" title="The newest checkpoint of this thread, as it is stored in IndexedDB">
            <span className="step-saved">Saved · </span>step {step}
          </span>
        )}
        <InspectButton />
        {thread !== undefined && <ThreadMenu thread={thread} current />}
      </header>
      {visit === undefined ? (
        <MessageList title={title} view={view} conversation={conversation} openSettings={openSettings} />
      ) : (
        <ThreadAt key={threadId} visit={visit} conversation={conversation} />
      )}
      <div className="page-foot" hidden={visit !== undefined}>
        <StorageNotice />
        <Composer
          draftId={threadId}
          send={(text) => reported(conversation.send(text))}
          stop={busy ? () => reported(conversation.stop()) : undefined}
          unsent={view.unsent}
          blocked={phase === "approval" ? "Answer the question above first" : phase === "loading" ? "Loading…" : undefined}
        />
        <ModelLine settings={settings} openSettings={openSettings} />
      </div>
    </main>
  );
}
