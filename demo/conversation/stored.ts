import type { BaseMessage } from "@langchain/core/messages";
import type { Slice, Step, Thread } from "langgraph-checkpoint-indexeddb/threads";
import { saver } from "../store/saver.ts";

export const storedThread = (threadId: string): Thread => saver.threads.thread(threadId);

/** A window of the thread's messages, which are LangChain's. */
export const messagesOf = async (thread: Thread, options: Parameters<Thread["slice"]>[1]): Promise<Slice<BaseMessage>> =>
  (await thread.slice("messages", options)) as Slice<BaseMessage>;

/** The newest checkpoint, or the one it is asked for. */
export async function stepAt(thread: Thread, at?: string): Promise<Step | undefined> {
  for await (const step of thread.history({ limit: 1, ...(at !== undefined && { at }) })) return step;
  return undefined;
}

export const threadConfig = (threadId: string, checkpoint?: string) => ({
  configurable: { thread_id: threadId, ...(checkpoint !== undefined && { checkpoint_id: checkpoint }) },
});
