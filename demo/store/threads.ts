import { database, type ThreadRow } from "./database.ts";

const TITLE_LENGTH = 60;

/** The first words of the first message, until someone gives the thread a name. */
export function titleFrom(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1).trimEnd()}…` : line;
}

export const listThreads = (): Promise<ThreadRow[]> => database.threads.orderBy("updatedAt").reverse().toArray();

export async function touchThread(id: string, text: string): Promise<void> {
  await database.transaction("rw", database.threads, async () => {
    const now = Date.now();
    const touched = await database.threads.update(id, { updatedAt: now, stopped: false });
    if (touched === 0) await database.threads.add({ id, title: titleFrom(text), createdAt: now, updatedAt: now });
  });
}

export async function renameThread(id: string, title: string): Promise<void> {
  await database.threads.update(id, { title: title.trim() });
}

export async function setStopped(id: string, stopped: boolean): Promise<void> {
  await database.threads.update(id, { stopped });
}

export const isStopped = async (id: string): Promise<boolean> => (await database.threads.get(id))?.stopped === true;

export async function forgetThread(id: string): Promise<void> {
  await database.transaction("rw", database.threads, database.drafts, database.toolRuns, async () => {
    await database.threads.delete(id);
    await database.drafts.delete(id);
    await database.toolRuns.where({ threadId: id }).delete();
  });
}
