import { graph } from "../agent/index.ts";
import { saver } from "../store/saver.ts";
import { messagesOf, storedThread, threadConfig } from "./stored.ts";

/** A new thread that holds what another one held up to an answer, as of one of its checkpoints. */
export async function copyUpTo(position: number, { threadId, at, title }: { readonly threadId: string; readonly at: string; readonly title: string }): Promise<string> {
  const { items } = await messagesOf(storedThread(threadId), { first: position + 1, at });
  const copy = crypto.randomUUID();
  await graph.updateState(threadConfig(copy), { messages: items }, "model");
  await saver.threads.update(copy, { title });
  return copy;
}
