import { FoundNotes } from "../../tools/notes.ts";
import type { Answered, Turn } from "./turn.ts";

const ABILITIES = [
  "I am not a language model. I am a small program that knows a few kinds of request and really runs a tool for each. Try one of these, or several in one message:",
  "",
  "- **Arithmetic:** `18 * 37`, `17% of 240`, `sqrt(2)`",
  "- **Units:** `convert 26.2 miles to km`",
  "- **Dates:** `how many days until 24 December?`",
  "- **Notes:** `remember to buy oat milk`, `show my notes`, `delete the note about milk`",
  "- **A timer:** `wait 10 seconds`",
  "",
  "For free conversation, set up a model under **Settings**.",
].join("\n");

/** What a user wrote, so that Markdown shows it as it is. */
const verbatim = (text: string): string => text.replaceAll(/[\\`*_{}[\]<>#|~]/g, String.raw`\$&`);

const GREETING = /^(?:hi|hello|hey|good (?:morning|afternoon|evening))\b/i;

function notes({ call, content }: Answered): string {
  const found = FoundNotes.parse(JSON.parse(content));
  const about = String(call.args["query"]);
  if (found.length === 0) return about === "" ? "There are no notes yet." : `No note mentions “${verbatim(about)}”.`;
  return [found.length === 1 ? "One note:" : `${String(found.length)} notes:`, ...found.map(({ text }) => `  - ${verbatim(text)}`)].join("\n");
}

function result(answered: Answered): string {
  const { call, content, failed } = answered;
  if (failed) return call.name === "save_note" || call.name === "delete_note" ? verbatim(content) : `That did not work: ${verbatim(content)}`;
  switch (call.name) {
    case "calculate": return `\`${String(call.args["expression"])}\` = **${content}**`;
    case "convert_units": return `**${content}**`;
    case "find_date": return `${verbatim(String(call.args["phrase"]))}: **${content}**`;
    case "find_notes": return notes(answered);
    default: return verbatim(content);
  }
}

export function wording({ text, answered }: Turn): string {
  if (answered.length === 0) return GREETING.test(text.trim()) ? `Hello. ${ABILITIES}` : ABILITIES;
  const deleting = answered.some(({ call }) => call.name === "delete_note");
  const worth = answered.filter(({ call }) => !(deleting && call.name === "find_notes"));
  const results = worth.map(result);
  return results.length === 1 ? (results[0] ?? "") : results.map((line) => `- ${line}`).join("\n");
}
