import { useCallback, useEffect, useState } from "react";
import { saver } from "../store/saver.ts";
import { coalesced } from "../conversation/coalesced.ts";
import { problemOf, type Problem } from "../conversation/problem.ts";

/** A thread that is being written to is not read again sooner than this, nor than it took to read it three times. */
const REST_MS = 250;

interface Stored<Value> {
  readonly value: Value | undefined;
  readonly problem: Problem | undefined;
  readonly again: () => void;
}

/** What `read` gives of a thread, now and after every change of it, in any tab. `read` gets what it gave last. */
export function useStored<Value>(threadId: string, read: (before: Value | undefined) => Promise<Value>): Stored<Value> {
  const [attempt, setAttempt] = useState(0);
  const [stored, setStored] = useState<Omit<Stored<Value>, "again">>({ value: undefined, problem: undefined });

  useEffect(() => {
    let shown = true;
    let before: Value | undefined;
    const refresh = coalesced(async () => {
      if (!shown) return;
      const began = performance.now();
      try {
        before = await read(before);
        if (shown) setStored({ value: before, problem: undefined });
      } catch (error) {
        if (shown) setStored((last) => ({ ...last, problem: problemOf(error) }));
      }
      await new Promise((resolve) => setTimeout(resolve, Math.max(REST_MS, 3 * (performance.now() - began))));
    });
    void refresh();
    const stop = saver.threads.watch(() => void refresh(), { thread: threadId });
    return () => {
      shown = false;
      stop();
    };
  }, [threadId, read, attempt]);

  return { ...stored, again: useCallback(() => setAttempt((count) => count + 1), []) };
}
