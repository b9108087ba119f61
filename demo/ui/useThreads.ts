import { useLiveQuery } from "dexie-react-hooks";
import { useMemo, useSyncExternalStore } from "react";
import { deletedThreads } from "../store/marks.ts";
import { threadList, type ThreadListView } from "../store/threadList.ts";

/** The threads that are not deleted, or about to be. Nothing while that is not known. */
export function useThreads(): ThreadListView | undefined {
  const view = useSyncExternalStore(threadList.subscribe, () => threadList.view);
  const deleted = useLiveQuery(deletedThreads);
  return useMemo(() => {
    if (deleted === undefined) return undefined;
    const hidden = new Set(deleted.map(({ threadId }) => threadId));
    return { ...view, threads: view.threads.filter(({ id }) => !hidden.has(id)) };
  }, [view, deleted]);
}
