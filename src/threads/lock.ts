import { LocksUnavailableError } from "../errors/index.ts";
import type { ThreadId } from "../idb/index.ts";

/** Runs `work` while it alone holds the lock of a thread: over all tabs and workers of the origin. */
export async function withLock<T>(database: string, thread: ThreadId, work: () => Promise<T>, options: { readonly signal?: AbortSignal }): Promise<T> {
  const locks = (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
  if (locks === undefined) throw new LocksUnavailableError({});
  return locks.request(`langgraph-checkpoint-indexeddb ${JSON.stringify([database, thread])}`, options, () => work());
}
