import { Plus, Settings as SettingsIcon } from "lucide-react";
import type { ThreadListView } from "../store/threadList.ts";
import { NotesDialog } from "./NotesDialog.tsx";
import { NEW_THREAD_HREF } from "./route.ts";
import { ThreadNavigation } from "./ThreadNavigation.tsx";
import { UpdateNotice } from "./UpdateNotice.tsx";

interface Props {
  readonly list: ThreadListView;
  readonly current: string | undefined;
  readonly openSettings: () => void;
}

export function Sidebar({ list, current, openSettings }: Props) {
  return (
    <div className="sidebar">
      <div className="brand">
        <img src="icon.svg" alt="" width="28" height="28" />
        <div>
          <strong>Durable threads</strong>
          <span>LangGraph in this browser</span>
        </div>
      </div>
      <a className="button new-thread" href={NEW_THREAD_HREF} aria-current={current === undefined ? "page" : undefined}>
        <Plus /> New thread
      </a>
      <ThreadNavigation list={list} current={current} />
      <div className="side-foot">
        <UpdateNotice />
        <NotesDialog />
        <button type="button" className="side-link" data-closes-drawer="" onClick={openSettings}>
          <SettingsIcon /> Settings
        </button>
      </div>
    </div>
  );
}
