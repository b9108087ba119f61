import type { PruneReport } from "langgraph-checkpoint-indexeddb/threads";
import { useState } from "react";
import { pruneTo } from "../../conversation/deletion.ts";
import { problemOf, type Problem } from "../../conversation/problem.ts";
import { saver } from "../../store/saver.ts";
import { titleOf } from "../../store/threads.ts";
import { useThreads } from "../../ui/useThreads.ts";
import { bytes, counted } from "../numbers.ts";
import { Failed } from "../Panel.tsx";

interface Plan extends Pick<PruneReport, "threads" | "bytes"> {
  /** What the threads may take together. */
  readonly budget: number;
  readonly isDone: boolean;
}

/** Deletes the half of the threads that was written to longest ago, by their bytes. What would go is shown first. */
export function OldThreads({ look }: { readonly look: () => void }) {
  const threads = useThreads()?.threads ?? [];
  const [plan, setPlan] = useState<Plan>();
  const [problem, setProblem] = useState<Problem>();

  const act = async (work: () => Promise<Plan>) => {
    setProblem(undefined);
    try {
      setPlan(await work());
      look();
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  const show = () =>
    act(async () => {
      const budget = Math.floor(threads.reduce((sum, thread) => sum + thread.bytes, 0) / 2);
      return { ...(await saver.threads.prune({ maxBytes: budget, dryRun: true })), budget, isDone: false };
    });
  const remove = (budget: number) => act(async () => ({ ...(await pruneTo(budget)), budget, isDone: true }));
  const title = (id: string): string => {
    const thread = threads.find((each) => each.id === id);
    return thread === undefined ? "A thread" : titleOf(thread);
  };

  return (
    <section aria-label="Old threads">
      <h3>Old threads</h3>
      <p>Half of the room that threads take can be had back from those that were written to longest ago. Pinned ones and the newest always stay.</p>
      <div className="panel-actions">
        <button type="button" className="button small" disabled={threads.length === 0} onClick={() => void show()}>
          Show what would go
        </button>
      </div>
      <div role="status">
        {plan?.isDone === true && (
          <p>
            {counted(plan.threads.length, "thread")} deleted, {bytes(plan.bytes)} given back.
          </p>
        )}
        {plan?.isDone === false && plan.threads.length === 0 && <p>Nothing would go: what is left is pinned, or the newest.</p>}
        {plan?.isDone === false && plan.threads.length > 0 && (
          <>
            <ul className="findings">
              {plan.threads.map((thread) => (
                <li key={thread.id}>
                  {title(thread.id)}, {bytes(thread.bytes)}
                </li>
              ))}
            </ul>
            <div className="panel-actions">
              <button type="button" className="button danger small" onClick={() => void remove(plan.budget)}>
                Delete {counted(plan.threads.length, "thread")}
              </button>
              <button type="button" className="button small" onClick={() => setPlan(undefined)}>
                Keep them
              </button>
            </div>
          </>
        )}
      </div>
      {problem !== undefined && <Failed problem={problem} again={() => void show()} />}
    </section>
  );
}
