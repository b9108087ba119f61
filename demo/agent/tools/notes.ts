import { tool } from "@langchain/core/tools";
import { z } from "zod";
import { deleteNote, findNote, saveNote, searchNotes } from "../../store/notes.ts";

export const FoundNotes = z.array(z.object({ id: z.string(), text: z.string() }));

export const findNotes = tool(
  async ({ query }) => JSON.stringify((await searchNotes(query)).map(({ id, text }) => ({ id, text }))),
  {
    name: "find_notes",
    description: "Finds the notes that hold every word of the query, or all notes for an empty query. Answers a JSON list of {id, text}.",
    schema: z.object({ query: z.string() }),
  },
);

export const saveNoteTool = tool(
  async ({ text }, config) => {
    await saveNote(config.toolCall?.id ?? crypto.randomUUID(), text);
    return `Saved the note “${text}”.`;
  },
  {
    name: "save_note",
    description: "Saves a note. The user is asked for approval first.",
    schema: z.object({ text: z.string().min(1).max(2000) }),
  },
);

export const deleteNoteTool = tool(
  async ({ id }) => {
    const note = await findNote(id);
    if (note === undefined) return "That note was already gone.";
    await deleteNote(id);
    return `Deleted the note “${note.text}”.`;
  },
  {
    name: "delete_note",
    description: "Deletes the note with this id, as find_notes gives it. The user is asked for approval first.",
    schema: z.object({ id: z.string().min(1) }),
  },
);
