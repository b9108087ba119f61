import { AIMessage, HumanMessage, type BaseMessage } from "@langchain/core/messages";
import { saver } from "./store/saver.ts";

/* For tests and measurements: a page that is opened with `?seed` can make long threads, and many. */

const PER_STEP = 500;
const SINGLE_STEPS = 6;

const ANSWER = "A durable thread is a list of steps that outlives the page: it is read again after a reload, and goes on where it was. ";

const message = (number: number): BaseMessage =>
  number % 2 === 0
    ? new HumanMessage({ id: `seed-${String(number)}`, content: `Question ${String(number / 2 + 1)}: what is a durable thread?` })
    : new AIMessage({ id: `seed-${String(number)}`, content: `**Answer ${String((number + 1) / 2)}.** ${ANSWER.repeat(1 + (number % 4))}` });

/** Makes a thread of so many messages, of which the last ones have a step each. */
async function seedThread(count: number, id: string = crypto.randomUUID()): Promise<string> {
  const thread = saver.threads.thread(id);
  await thread.append({});
  for (let from = 0; from < count; ) {
    const to = Math.min(from < count - SINGLE_STEPS ? Math.min(from + PER_STEP, count - SINGLE_STEPS) : from + 1, count);
    await thread.append({ messages: Array.from({ length: to - from }, (_, index) => message(from + index)) });
    from = to;
  }
  await saver.threads.update(id, { title: `${count.toLocaleString("en")} messages` });
  return id;
}

async function seedThreads(count: number): Promise<void> {
  for (let made = 0; made < count; made += 100) {
    const numbers = Array.from({ length: Math.min(100, count - made) }, (_, index) => made + index + 1);
    await Promise.all(numbers.map((number) => saver.threads.update(`seed-${String(number)}`, { title: `Thread number ${String(number)}` })));
  }
}

declare global {
  var seedThread: (count: number, id?: string) => Promise<string>;
  var seedThreads: (count: number) => Promise<void>;
}

export function offerSeeds(): void {
  Object.assign(globalThis, { seedThread, seedThreads });
}
