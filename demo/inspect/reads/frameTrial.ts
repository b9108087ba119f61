import { startWorker } from "../../store/saver.ts";
import { delta, messagesReducer, ThreadStore, type Message, type ReadReport } from "langgraph-checkpoint-indexeddb/threads";
import { FrameMeter, nextFrame } from "./frameMeter.ts";

export const MESSAGES = 10_000;
const A_STEP = 500;
const THREAD = "ten thousand";

export type Where = "worker" | "page";

export interface Trial {
  readonly where: Where;
  /** Milliseconds between the page's frames while the thread was read. */
  readonly frames: readonly number[];
  readonly report: ReadReport;
}

/** A database of its own, so that the long thread is in nobody's list. */
const open = (where: Where) => new ThreadStore({ name: "demo-frames", channels: { messages: delta(messagesReducer) }, worker: where === "worker" ? startWorker : false });

/** Makes the thread unless it is there. */
export async function prepare(onProgress: (made: number) => void): Promise<void> {
  await using store = open("worker");
  const thread = store.thread(THREAD);
  let { total } = await thread.slice("messages", { last: 1 });
  while (total < MESSAGES) {
    onProgress(total);
    await thread.append({ messages: Array.from({ length: A_STEP }, (_, at) => message(total + at)) });
    total += A_STEP;
  }
  onProgress(total);
}

function message(number: number): Message {
  const words = `Message ${String(number)} of a long conversation, with a sentence or two in it as messages have. `;
  return { id: `m${String(number)}`, role: number % 2 === 0 ? "user" : "assistant", content: words.repeat(1 + (number % 4)) };
}

/** Reads the whole thread with nothing in memory, and measures the page's frames meanwhile. */
export async function read(where: Where): Promise<Trial> {
  await using store = open(where);
  let report: ReadReport | undefined;
  store.on("read", (heard) => {
    report = heard;
  });
  await nextFrame();
  const meter = new FrameMeter();
  await store.thread(THREAD).values();
  const frames = meter.stop();
  await nextFrame();
  if (report === undefined) throw new Error("The read was not reported.");
  return { where, frames, report };
}
