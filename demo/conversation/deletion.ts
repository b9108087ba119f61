import { saver } from "../agent/index.ts";
import { forgetThread } from "../store/threads.ts";
import { conversation, dropConversation } from "./registry.ts";
import { withThread } from "./lock.ts";

/** Ends a run of the thread in any tab, then deletes its checkpoints and the demo's own records of it. */
export async function deleteThread(threadId: string): Promise<void> {
  // With no room left the stop cannot be marked, but deleting still works, and makes room.
  await Promise.allSettled([conversation(threadId).stop()]);
  await withThread(threadId, AbortSignal.timeout(10_000), async () => {
    await saver.deleteThread(threadId);
    await forgetThread(threadId);
  });
  dropConversation(threadId);
}
