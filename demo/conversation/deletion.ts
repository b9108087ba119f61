import type { PruneReport } from "langgraph-checkpoint-indexeddb";
import { saver } from "../store/saver.ts";
import { deletedThreads, forgetThread, mark, readMark } from "../store/marks.ts";
import { withThread } from "./lock.ts";
import { conversation, dropConversation } from "./registry.ts";

/** How long a deleted thread can be had back. */
export const UNDO_MS = 8000;

/** Ends a run of the thread in any tab and hides the thread; says whether it can be had back for a moment. */
export async function deleteThread(threadId: string): Promise<boolean> {
  // With no room left neither the stop nor the deletion can be noted, but deleting at once still works, and makes room.
  await Promise.allSettled([conversation(threadId).stop()]);
  try {
    await mark(threadId, { deleted: Date.now() });
    return true;
  } catch {
    await purge(threadId);
    return false;
  }
}

export const undoDeletion = (threadId: string): Promise<void> => mark(threadId, { deleted: undefined });

/** Deletes its checkpoints and the demo's own records of it. */
async function purge(threadId: string): Promise<void> {
  await withThread(threadId, AbortSignal.timeout(10_000), async () => {
    await saver.deleteThread(threadId);
    await forgetThread(threadId);
  });
  dropConversation(threadId);
}

/** Its time is over. Another tab may have brought it back meanwhile, or an import. */
export async function purgeDeleted(threadId: string): Promise<void> {
  if ((await readMark(threadId)).deleted !== undefined) await purge(threadId);
}

/** Those that were deleted before a time: of which the tab was closed before theirs was over, or all. */
export async function purgeBefore(time: number): Promise<void> {
  const threads = await deletedThreads();
  await Promise.all(threads.filter(({ deleted = 0 }) => deleted < time).map(({ threadId }) => purge(threadId)));
}

/** Deletes threads, those first that were written to longest ago, until the others take no more than this. */
export async function pruneTo(maxBytes: number): Promise<PruneReport> {
  const report = await saver.threads.prune({ maxBytes });
  for (const { id, deleted } of report.threads) {
    if (!deleted) continue;
    await forgetThread(id);
    dropConversation(id);
  }
  return report;
}
