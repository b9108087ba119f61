import type { BaseMessage } from "@langchain/core/messages";
import { transcript } from "./conversation.ts";
import { Loader } from "./loader.ts";
import { openedSaver } from "./open-saver.ts";
import { openSaver, type Saver } from "./savers.ts";
import { threadId } from "./workload.ts";

/** A saver that gives a part of a list without the rest of it. */
interface Windowed {
  readonly threads: { thread(id: string): { slice(channel: string, window: { last: number }): Promise<readonly Pick<BaseMessage, "id" | "content">[]> } };
}

const isWindowed = (saver: Saver): saver is Saver & Windowed => "threads" in saver;

/** Says `messages` messages in large steps. */
export async function loadMany(messages: number, largeStep: number): Promise<void> {
  const { saver } = openedSaver("worker");
  const loader = Loader.start(saver, { messages: "plain" });
  const script = transcript(Math.ceil(messages / 2));
  for (let said = 0; said < messages; said += largeStep) await loader.turn(script.slice(said, Math.min(messages, said + largeStep)), []);
}

/** On a fresh page: the newest `last` of `messages` messages, from nothing; undefined while the saver has no such call. */
export async function readWindow(messages: number, last: number): Promise<number | undefined> {
  const expected = transcript(Math.ceil(messages / 2)).slice(messages - last, messages);
  const before = performance.now();
  const saver = openSaver("worker");
  if (!isWindowed(saver)) return undefined;
  const window = await saver.threads.thread(threadId).slice("messages", { last });
  const time = performance.now() - before;
  if (window.length !== last) throw new Error(`${window.length} messages, expected ${last}`);
  for (const [at, { id, content }] of expected.entries()) {
    if (window[at]?.id !== id || window[at]?.content !== content) throw new Error(`message ${at} of the window is not the one that was written`);
  }
  await saver.close?.();
  return time;
}
