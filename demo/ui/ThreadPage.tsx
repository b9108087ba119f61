import { useEffect, type ReactNode } from "react";
import { InspectButton } from "../inspect/InspectButton.tsx";
import { useVisit } from "../inspect/inspection.ts";
import { ThreadAt } from "../inspect/time/ThreadAt.tsx";
import type { ThreadRow } from "../store/database.ts";
import type { Settings } from "../store/settings.ts";
import { Composer } from "./Composer.tsx";
import { reported } from "./failures.ts";
import { MessageList } from "./MessageList.tsx";
import { ModelLine } from "./ModelLine.tsx";
import { ThreadMenu } from "./ThreadMenu.tsx";
import { useConversation } from "./useConversation.ts";

interface Props {
  readonly thread: ThreadRow;
  readonly menu: ReactNode;
  readonly settings: Settings;
  readonly openSettings: () => void;
}

export function ThreadPage({ thread, menu, settings, openSettings }: Props) {
  const [view, conversation] = useConversation(thread.id);
  const { phase, step } = view;
  const visit = useVisit(thread.id);

  useEffect(() => {
    document.title = `${thread.title} · Durable threads`;
    return () => {
      document.title = "Durable threads";
    };
  }, [thread.title]);

  const busy = phase === "running" || phase === "elsewhere";

  return (
    <main className="page">
      <header className="page-head">
        {menu}
        <h1 className="page-title">{thread.title}</h1>
        {step !== undefined && !busy && (
          <span className="step" title="The newest checkpoint of this thread, as it is stored in IndexedDB">
            <span className="step-saved">Saved · </span>step {step}
          </span>
        )}
        <InspectButton />
        <ThreadMenu thread={thread} current />
      </header>
      {visit === undefined ? (
        <MessageList view={view} conversation={conversation} openSettings={openSettings} />
      ) : (
        <ThreadAt key={thread.id} visit={visit} conversation={conversation} />
      )}
      <div className="page-foot" hidden={visit !== undefined}>
        <Composer
          draftId={thread.id}
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
