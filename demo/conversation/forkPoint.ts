import type { Step, Thread } from "langgraph-checkpoint-indexeddb/threads";
import { messagesOf } from "./stored.ts";

/** Steps between two looks at how long the thread was. */
const STRIDE = 50;

const lengthAt = async (thread: Thread, at: string): Promise<number> => (await messagesOf(thread, { last: 0, at })).total;

/** The step that ended with the message at a position, on the way to the checkpoint `tip`. */
export async function stepOf(thread: Thread, position: number, tip: string): Promise<Step> {
  let stride: Step[] = [];
  for await (const step of thread.history({ at: tip })) {
    stride.push(step);
    const isOlder = (stride.length % STRIDE === 0 || step.parent === undefined) && (await lengthAt(thread, step.id)) <= position;
    if (isOlder) break;
    if (stride.length === STRIDE) stride = stride.slice(-1);
  }
  const step = await earliestWith(thread, position, stride);
  if (step === undefined || (await lengthAt(thread, step.id)) !== position + 1) throw new Error("This message was stored together with others, so the thread cannot be forked right there.");
  return step;
}

/** Of steps, newest first, the last one that had the message: the thread only ever grew on its way. */
async function earliestWith(thread: Thread, position: number, steps: readonly Step[]): Promise<Step | undefined> {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((await lengthAt(thread, steps[middle]!.id)) > position) low = middle + 1;
    else high = middle;
  }
  return steps[low - 1];
}
