import { useLiveQuery } from "dexie-react-hooks";
import { useLayoutEffect, useState } from "react";
import { useInspection } from "../inspect/inspection.ts";
import { Inspector } from "../inspect/Inspector.tsx";
import { listThreads } from "../store/threads.ts";
import { Drawer } from "./Drawer.tsx";
import { FailureBanner } from "./FailureBanner.tsx";
import { MissingThread } from "./MissingThread.tsx";
import { NewThreadPage } from "./NewThreadPage.tsx";
import { useRoutedThread } from "./route.ts";
import { SettingsDialog } from "./SettingsDialog.tsx";
import { Sidebar } from "./Sidebar.tsx";
import { ThreadPage } from "./ThreadPage.tsx";
import { useSettings } from "./useSettings.ts";

export function App() {
  const threadId = useRoutedThread();
  const threads = useLiveQuery(listThreads);
  const settings = useSettings();
  const { open: inspecting } = useInspection();
  const [settingsOpen, setSettingsOpen] = useState(false);

  useLayoutEffect(() => {
    if (settings !== undefined) document.documentElement.dataset["theme"] = settings.theme;
  }, [settings]);

  if (threads === undefined || settings === undefined) return null;

  const thread = threads.find(({ id }) => id === threadId);
  const sidebar = <Sidebar threads={threads} current={threadId} openSettings={() => setSettingsOpen(true)} />;
  const page = { menu: <Drawer key={threadId}>{sidebar}</Drawer>, settings, openSettings: () => setSettingsOpen(true) };

  return (
    <div className="app" data-inspecting={inspecting}>
      <a className="skip" href="#message" onClick={focusComposer}>
        Skip to the message field
      </a>
      <aside className="side">{sidebar}</aside>
      {threadId === undefined ? (
        <NewThreadPage {...page} />
      ) : thread === undefined ? (
        <MissingThread menu={page.menu} />
      ) : (
        <ThreadPage key={thread.id} thread={thread} {...page} />
      )}
      <Inspector threadId={thread?.id} />
      <FailureBanner />
      <SettingsDialog settings={settings} open={settingsOpen} onOpenChange={setSettingsOpen} />
    </div>
  );
}

function focusComposer(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById("message")?.focus();
}
