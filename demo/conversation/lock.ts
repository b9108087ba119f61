const lockName = (threadId: string): string => `demo-thread:${threadId}`;

/** One run on a thread at a time, over all tabs. A tab that dies lets go of its lock by itself. */
export function withThread<Result>(threadId: string, signal: AbortSignal, act: () => Promise<Result>): Promise<Result> {
  return navigator.locks.request(lockName(threadId), { signal }, act);
}

export async function isTaken(threadId: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === lockName(threadId));
}
