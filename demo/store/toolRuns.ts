import { database, type ToolRunRow } from "./database.ts";

/** Counts one more start of the call and gives the time of its first. */
export function recordStart(callId: string, threadId: string, tool: string): Promise<number> {
  return database.transaction("rw", database.toolRuns, async () => {
    const earlier = await database.toolRuns.get(callId);
    const startedAt = earlier?.startedAt ?? Date.now();
    await database.toolRuns.put({ callId, threadId, tool, startedAt, starts: (earlier?.starts ?? 0) + 1 });
    return startedAt;
  });
}

export async function recordFinish(callId: string): Promise<void> {
  await database.toolRuns.update(callId, { finishedAt: Date.now() });
}

export const firstStart = async (callId: string): Promise<number | undefined> => (await database.toolRuns.get(callId))?.startedAt;

export const toolRunsOf = (threadId: string): Promise<ToolRunRow[]> => database.toolRuns.where({ threadId }).toArray();
