import { useSyncExternalStore } from "react";
import { problemOf, type Problem } from "../conversation/problem.ts";

let newest: Problem | undefined;
const listeners = new Set<() => void>();

function show(problem: Problem | undefined): void {
  newest = problem;
  for (const listener of listeners) listener();
}

/** For what the page does on the side, a draft or a setting: if it fails, the page says so. */
export function reported(act: Promise<unknown>): void {
  act.catch((error: unknown) => {
    show(problemOf(error));
  });
}

export const dismissFailure = (): void => {
  show(undefined);
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export const useFailure = (): Problem | undefined => useSyncExternalStore(subscribe, () => newest);
