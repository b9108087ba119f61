import { useEffect, useLayoutEffect, useState } from "react";
import { useInspection } from "../inspect/inspection.ts";
import { Inspector } from "../inspect/Inspector.tsx";
import { threadList } from "../store/threadList.ts";
import { DeletedToast } from "./DeletedToast.tsx";
import { Drawer } from "./Drawer.tsx";
import { FailureBanner } from "./FailureBanner.tsx";
import { reported } from "./failures.ts";
import { MissingThread } from "./MissingThread.tsx";
import { NewThreadPage } from "./NewThreadPage.tsx";
import { useRoutedThread } from "./route.ts";
import { SettingsDialog } from "./SettingsDialog.tsx";
import { Sidebar } from "./Sidebar.tsx";
import { ThreadPage } from "./ThreadPage.tsx";
import { useSettings } from "./useSettings.ts";
import { useThreads } from "./useThreads.ts";

export function App() {
  const threadId = useRoutedThread();
  const list = useThreads();
  const settings = useSettings();
  const { open: inspecting } = useInspection();
  const [settingsOpen, setSettingsOpen] = useState(false);
  const thread = list?.threads.find(({ id }) => id === threadId);

  useLayoutEffect(() => {
    if (settings !== undefined) document.documentElement.dataset["theme"] = settings.theme;
  }, [settings]);

  useEffect(() => {
    if (threadId !== undefined && thread === undefined) reported(threadList.refresh(threadId)); // It may be on the last of many pages.
  }, [threadId, thread]);

  if (list === undefined || settings === undefined) return null;

  const sidebar = <Sidebar list={list} current={threadId} openSettings={() => setSettingsOpen(true)} />;
  const page = { menu: <Drawer key={threadId}>{sidebar}</Drawer>, settings, openSettings: () => setSettingsOpen(true) };

  return (
    <div className="app" data-inspecting={inspecting}>
      <a className="skip" href="#message" onClick={focusComposer}>
        Skip to the message field
      </a>
      <aside className="side" aria-label="Side bar">
        {sidebar}
      </aside>
      {threadId === undefined ? (
        <NewThreadPage {...page} />
      ) : thread !== undefined || list.failure !== undefined ? (
        <ThreadPage key={threadId} threadId={threadId} thread={thread} {...page} />
      ) : list.complete ? (
        <MissingThread menu={page.menu} />
      ) : (
        <main className="page" aria-busy="true" />
      )}
      <Inspector threadId={thread?.id} />
      <FailureBanner />
      <DeletedToast />
      <SettingsDialog settings={settings} open={settingsOpen} onOpenChange={setSettingsOpen} />
    </div>
  );
}

function focusComposer(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById("message")?.focus();
}
