import { database, type MarkRow } from "./database.ts";

export const readMark = async (threadId: string): Promise<MarkRow> => (await database.marks.get(threadId)) ?? { threadId };

/** `undefined` takes a field away. */
export function mark(threadId: string, change: { readonly [Field in keyof Omit<MarkRow, "threadId">]: MarkRow[Field] | undefined }): Promise<void> {
  return database.transaction("rw", database.marks, async () => {
    const marked = Object.entries({ ...(await readMark(threadId)), ...change }).filter(([, value]) => value !== undefined);
    await (marked.length === 1 ? database.marks.delete(threadId) : database.marks.put(Object.fromEntries(marked)));
  });
}

export const setStopped = (threadId: string, stopped: boolean): Promise<void> => mark(threadId, { stopped: stopped || undefined });

export const deletedThreads = (): Promise<MarkRow[]> => database.marks.where("deleted").above(0).toArray();

/** Everything that the demo itself keeps of a thread. */
export async function forgetThread(threadId: string): Promise<void> {
  await database.transaction("rw", database.marks, database.drafts, database.toolRuns, async () => {
    await database.marks.delete(threadId);
    await database.drafts.delete(threadId);
    await database.toolRuns.where({ threadId }).delete();
  });
}
