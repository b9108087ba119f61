import type { ThreadInfo } from "langgraph-checkpoint-indexeddb/threads";
import { useSyncExternalStore } from "react";
import { deleteThread, purgeDeleted, undoDeletion, UNDO_MS } from "../conversation/deletion.ts";
import { reported } from "./failures.ts";

interface Deleted {
  readonly thread: ThreadInfo;
  readonly timer: ReturnType<typeof setTimeout>;
}

let newest: Deleted | undefined;
const listeners = new Set<() => void>();

function show(deleted: Deleted | undefined): void {
  newest = deleted;
  for (const listener of listeners) listener();
}

export async function deleteWithUndo(thread: ThreadInfo): Promise<void> {
  keepDeleted();
  if (await deleteThread(thread.id)) show({ thread, timer: setTimeout(keepDeleted, UNDO_MS) });
}

/** What was deleted last stays so, and its rows go. */
export function keepDeleted(): void {
  if (newest === undefined) return;
  const { thread, timer } = newest;
  clearTimeout(timer);
  show(undefined);
  reported(purgeDeleted(thread.id));
}

export function bringBack(): void {
  if (newest === undefined) return;
  const { thread, timer } = newest;
  clearTimeout(timer);
  show(undefined);
  reported(undoDeletion(thread.id));
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** The thread that was deleted last, while it can be had back. */
export const useDeleted = (): ThreadInfo | undefined => useSyncExternalStore(subscribe, () => newest)?.thread;
