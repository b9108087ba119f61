import { Plus, Settings as SettingsIcon } from "lucide-react";
import type { ThreadRow } from "../store/database.ts";
import { NotesDialog } from "./NotesDialog.tsx";
import { NEW_THREAD_HREF } from "./route.ts";
import { ThreadItem } from "./ThreadItem.tsx";

interface Props {
  readonly threads: readonly ThreadRow[];
  readonly current: string | undefined;
  readonly openSettings: () => void;
}

export function Sidebar({ threads, current, openSettings }: Props) {
  return (
    <div className="sidebar">
      <div className="brand">
        <img src="/icon.svg" alt="" width="28" height="28" />
        <div>
          <strong>Durable threads</strong>
          <span>LangGraph in this browser</span>
        </div>
      </div>
      <a className="button new-thread" href={NEW_THREAD_HREF} aria-current={current === undefined ? "page" : undefined}>
        <Plus /> New thread
      </a>
      <nav className="threads" aria-label="Threads">
        {threads.length === 0 ? (
          <p className="threads-empty">Your threads will be listed here.</p>
        ) : (
          <ul>
            {threads.map((thread) => (
              <ThreadItem key={thread.id} thread={thread} current={thread.id === current} />
            ))}
          </ul>
        )}
      </nav>
      <div className="side-foot">
        <NotesDialog />
        <button type="button" className="side-link" data-closes-drawer="" onClick={openSettings}>
          <SettingsIcon /> Settings
        </button>
      </div>
    </div>
  );
}
