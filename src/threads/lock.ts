import { LocksUnavailableError } from "../errors/index.ts";
import type { ThreadId } from "../idb/index.ts";

/** Runs `work` while it alone holds the lock of a thread: over all tabs and workers of the origin. */
export async function withLock<T>(database: string, thread: ThreadId, work: () => Promise<T>, options: { readonly signal?: AbortSignal }): Promise<T> {
  const locks = (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
  if (locks === undefined) throw new LocksUnavailableError({});
  return locks.request(lockName(database, thread), options, () => work());
}

/** Of a thread, or of the upkeep of a database. */
export function lockName(database: string, thread?: string): string {
  return `langgraph-checkpoint-indexeddb ${JSON.stringify(thread === undefined ? [database] : [database, thread])}`;
}
