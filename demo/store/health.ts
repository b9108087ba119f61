import type { StorageNotice, StorageStatus } from "langgraph-checkpoint-indexeddb";
import { saver } from "./saver.ts";

/** What is wrong with the storage, or soon will be. */
export interface Health {
  readonly fault: StorageStatus["fault"];
  /** There is little room left. */
  readonly low: StorageNotice | undefined;
}

let health: Health = { fault: saver.status().fault, low: undefined };
const listeners = new Set<() => void>();

function change(next: Partial<Health>): void {
  health = { ...health, ...next };
  for (const listener of listeners) listener();
}

saver.on("fault", ({ fault }) => change({ fault }));
saver.on("storage", (notice) => change({ low: notice.isLow ? notice : undefined }));

export const healthNow = (): Health => health;

export function watchHealth(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
