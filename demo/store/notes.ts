import { database, type NoteRow } from "./database.ts";

export const listNotes = (): Promise<NoteRow[]> => database.notes.orderBy("savedAt").reverse().toArray();

export const findNote = (id: string): Promise<NoteRow | undefined> => database.notes.get(id);

/** Notes that hold every word of the query, newest first; all of them for an empty query. */
export async function searchNotes(query: string): Promise<NoteRow[]> {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return (await listNotes()).filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
}

export async function saveNote(id: string, text: string): Promise<void> {
  await database.notes.put({ id, text, savedAt: Date.now() });
}

export const deleteNote = (id: string): Promise<void> => database.notes.delete(id);
