import { Search } from "lucide-react";
import { useId, useMemo, useRef, useState } from "react";
import { Virtualizer } from "virtua";
import { problemOf } from "../conversation/problem.ts";
import { threadList, type ThreadListView } from "../store/threadList.ts";
import { titleOf } from "../store/threads.ts";
import { ThreadItem } from "./ThreadItem.tsx";
import { useRunning } from "./useRunning.ts";

const SEARCHED_FROM = 6;

/** All threads, of which only those on the screen are in the page. */
export function ThreadNavigation({ list: { threads, complete, failure }, current }: { readonly list: ThreadListView; readonly current: string | undefined }) {
  const scroller = useRef<HTMLElement>(null);
  const searchId = useId();
  const [wanted, setWanted] = useState("");
  const running = useRunning();
  const found = useMemo(() => threads.filter((thread) => titleOf(thread).toLowerCase().includes(wanted.trim().toLowerCase())), [threads, wanted]);

  return (
    <>
      {threads.length >= SEARCHED_FROM && (
        <div className="thread-search">
          <Search />
          <label className="visually-hidden" htmlFor={searchId}>
            Search threads
          </label>
          <input id={searchId} type="search" placeholder={`Search ${String(threads.length)} threads`} value={wanted} onChange={(event) => setWanted(event.target.value)} />
        </div>
      )}
      <nav className="threads" aria-label="Threads" ref={scroller}>
        <Virtualizer as="ul" item="li" scrollRef={scroller} data={found}>
          {(thread) => <ThreadItem key={thread.id} thread={thread} current={thread.id === current} running={running.has(thread.id)} />}
        </Virtualizer>
        <div className="threads-note" role="status">
          {failure !== undefined && <p>{problemOf(failure).text}</p>}
          {failure === undefined && complete && threads.length === 0 && <p>Your threads will be listed here.</p>}
          {threads.length > 0 && found.length === 0 && <p>No thread is called “{wanted.trim()}”.</p>}
        </div>
        {failure !== undefined && (
          <button type="button" className="button small" onClick={() => void threadList.load()}>
            Load the list again
          </button>
        )}
      </nav>
    </>
  );
}
