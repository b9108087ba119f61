import { BaseMessage } from "@langchain/core/messages";
import { IndexedDBSaver } from "../../src/index.ts";
import { transcript } from "./conversation.ts";
import { Loader } from "./loader.ts";
import { openedSaver } from "./open-saver.ts";
import { databaseName } from "./savers.ts";
import { assertMessages, threadId } from "./workload.ts";

/** Says `messages` messages in large steps. */
export async function loadMany(messages: number, largeStep: number): Promise<void> {
  const { saver } = openedSaver("worker");
  const loader = Loader.start(saver, { messages: "plain" });
  const script = transcript(Math.ceil(messages / 2));
  for (let said = 0; said < messages; said += largeStep) await loader.turn(script.slice(said, Math.min(messages, said + largeStep)), []);
}

/** On a fresh page: the newest `last` of `messages` messages, from nothing. */
export async function readWindow(messages: number, last: number): Promise<number> {
  const before = performance.now();
  const saver = new IndexedDBSaver({ name: databaseName });
  const { items } = await saver.threads.thread(threadId).slice("messages", { last });
  const time = performance.now() - before;
  const window: unknown[] = items;
  assertMessages(window.filter((item) => BaseMessage.isInstance(item)), transcript(Math.ceil(messages / 2)).slice(messages - last, messages));
  await saver.close();
  return time;
}
