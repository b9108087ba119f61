import type { Step } from "langgraph-checkpoint-indexeddb/threads";
import { saver } from "../../store/saver.ts";

/** More than these are not read at once. */
const MOST = 5000;

/** The steps that lead to a checkpoint, or to the newest one, newest first. What was read before is not read again. */
export async function readPath(threadId: string, tip: string | undefined, before: readonly Step[] = [], limit = MOST): Promise<readonly Step[]> {
  const known = new Map(before.map(({ id }, position) => [id, position]));
  const steps: Step[] = [];
  for await (const step of saver.threads.thread(threadId).history({ limit, ...(tip !== undefined && { at: tip }) })) {
    const position = known.get(step.id);
    if (position !== undefined) return [...steps, ...before.slice(position)];
    steps.push(step);
  }
  return steps;
}
