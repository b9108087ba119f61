import { useState, type ReactNode } from "react";
import { conversation } from "../conversation/registry.ts";
import { InspectButton } from "../inspect/InspectButton.tsx";
import { NEW_THREAD_DRAFT } from "../store/drafts.ts";
import type { Settings } from "../store/settings.ts";
import { threadList } from "../store/threadList.ts";
import { beginThread } from "../store/threads.ts";
import { Composer } from "./Composer.tsx";
import { reported } from "./failures.ts";
import { ModelLine } from "./ModelLine.tsx";
import { goTo, threadHref } from "./route.ts";
import { StorageNotice } from "./StorageNotice.tsx";
import { Suggestions } from "./Suggestions.tsx";

interface Props {
  readonly menu: ReactNode;
  readonly settings: Settings;
  readonly openSettings: () => void;
}

export function NewThreadPage({ menu, settings, openSettings }: Props) {
  const [unsent, setUnsent] = useState<string>();

  const start = async (text: string) => {
    const threadId = crypto.randomUUID();
    setUnsent(undefined);
    try {
      await beginThread(threadId, text);
      await threadList.refresh(threadId);
    } catch (error) {
      setUnsent(text);
      throw error;
    }
    reported(conversation(threadId).send(text));
    goTo(threadHref(threadId));
  };

  return (
    <main className="page">
      <header className="page-head">
        {menu}
        <h1 className="page-title">New thread</h1>
        <InspectButton />
      </header>
      <div className="welcome">
        <h2>What should the agent do?</h2>
        <p>
          A LangGraph agent runs in this page and keeps every step it takes in this browser. Reload, close or crash the tab: the thread is
          still here, and a run that was interrupted picks up where it was.
        </p>
        <Suggestions choose={(text) => reported(start(text))} />
      </div>
      <div className="page-foot">
        <StorageNotice />
        <Composer draftId={NEW_THREAD_DRAFT} send={(text) => reported(start(text))} unsent={unsent} />
        <ModelLine settings={settings} openSettings={openSettings} />
      </div>
    </main>
  );
}
