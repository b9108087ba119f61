import type { ThreadInfo } from "langgraph-checkpoint-indexeddb/threads";
import { saver } from "./saver.ts";

const TITLE_LENGTH = 60;

/** The first words of the first message, until someone gives the thread a name. */
function titleFrom(text: string): string {
  const line = text.toWellFormed().trim().replaceAll(/\s+/g, " ");
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1).trimEnd()}…` : line;
}

export const titleOf = ({ title }: ThreadInfo): string => title ?? "Untitled";

/** Gives the thread its title, and so makes it, if it has none. */
export async function beginThread(id: string, text: string): Promise<void> {
  const thread = await saver.threads.get(id);
  if (thread?.title === undefined) await saver.threads.update(id, { title: titleFrom(text) });
}

export const renameThread = (id: string, title: string): Promise<void> => saver.threads.update(id, { title: title.toWellFormed().trim() });

export const pinThread = (id: string, pinned: boolean): Promise<void> => saver.threads.update(id, { pinned });
