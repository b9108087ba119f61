import { BaseMessage } from "@langchain/core/messages";
import { IndexedDBSaver, type ReadReport } from "../../src/index.ts";
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

/** Milliseconds, from nothing to the window; and those of them by stage, as the saver reports them. */
export type WindowTime = Pick<ReadReport["ms"], "transfer" | "storage" | "decode"> & { readonly all: number };

/** On a fresh page: the newest `last` of `messages` messages. */
export async function readWindow(messages: number, last: number): Promise<WindowTime> {
  const before = performance.now();
  const saver = new IndexedDBSaver({ name: databaseName });
  let stages: ReadReport["ms"] | undefined;
  saver.on("read", ({ ms }) => (stages = ms));
  const { items } = await saver.threads.thread(threadId).slice("messages", { last });
  const all = performance.now() - before;
  if (stages === undefined) throw new Error("nothing was reported");
  const window: unknown[] = items;
  assertMessages(window.filter((item) => BaseMessage.isInstance(item)), transcript(Math.ceil(messages / 2)).slice(messages - last, messages));
  await saver.close();
  const { transfer, storage, decode } = stages;
  return { all, transfer, storage, decode };
}
