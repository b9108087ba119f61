const PREFIX = "demo-thread:";

const lockName = (threadId: string): string => PREFIX + threadId;

/** One run on a thread at a time, over all tabs. A tab that dies lets go of its lock by itself. */
export function withThread<Result>(threadId: string, signal: AbortSignal, act: () => Promise<Result>): Promise<Result> {
  return navigator.locks.request(lockName(threadId), { signal }, act);
}

/** The threads that a tab is working on. */
export async function takenThreads(): Promise<ReadonlySet<string>> {
  const { held = [] } = await navigator.locks.query();
  return new Set(held.flatMap(({ name = "" }) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
}

export const isTaken = async (threadId: string): Promise<boolean> => (await takenThreads()).has(threadId);
