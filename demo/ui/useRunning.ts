import { useSyncExternalStore } from "react";
import { hearRuns } from "../conversation/tabs.ts";
import { takenThreads } from "../conversation/lock.ts";

const LOOK_MS = 1000;
const NONE: ReadonlySet<string> = new Set();

let running = NONE;
let looking: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Looks again as long as something runs: a tab that dies says nothing. */
async function look(): Promise<void> {
  clearTimeout(looking);
  const taken = await takenThreads();
  if (taken.size > 0 || running.size > 0) {
    running = taken;
    for (const listener of listeners) listener();
  }
  looking = taken.size > 0 && listeners.size > 0 ? setTimeout(() => void look(), LOOK_MS) : undefined;
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  void look();
  const stopHearing = hearRuns(() => void look());
  return () => {
    stopHearing();
    listeners.delete(listener);
  };
};

/** The threads that run now, in this tab or another. */
export const useRunning = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => running);
