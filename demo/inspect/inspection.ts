import { useSyncExternalStore } from "react";

export const PANELS = ["time", "branches", "growth", "reads", "storage"] as const;
export type Panel = (typeof PANELS)[number];

/** A step of a thread that is looked at. `tip` is the end of the path that it is on; the newest if absent. */
export interface Visit {
  readonly threadId: string;
  readonly checkpoint: string;
  readonly tip?: string;
}

interface Inspection {
  readonly open: boolean;
  readonly panel: Panel;
  readonly visit: Visit | undefined;
}

let inspection: Inspection = { open: false, panel: "time", visit: undefined };
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export function inspect(change: Partial<Inspection>): void {
  inspection = { ...inspection, ...change };
  for (const listener of listeners) listener();
}

export const backToNow = (): void => {
  inspect({ visit: undefined });
};

export const useInspection = (): Inspection => useSyncExternalStore(subscribe, () => inspection);

/** The step of this thread that is looked at, if it is not the present. */
export function useVisit(threadId: string): Visit | undefined {
  const { visit } = useInspection();
  return visit?.threadId === threadId ? visit : undefined;
}
