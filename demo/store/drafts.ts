import { database } from "./database.ts";

export const NEW_THREAD_DRAFT = "new";

export const readDraft = async (threadId: string): Promise<string> => (await database.drafts.get(threadId))?.text ?? "";

export async function writeDraft(threadId: string, text: string): Promise<void> {
  await (text === "" ? database.drafts.delete(threadId) : database.drafts.put({ threadId, text }));
}
