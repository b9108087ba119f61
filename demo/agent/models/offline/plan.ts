import { FoundNotes } from "../../tools/notes.ts";
import { requestsIn, type Request } from "./requests.ts";
import type { Answered, Turn } from "./turn.ts";

export interface PlannedCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

function firstCall(request: Request): PlannedCall {
  switch (request.kind) {
    case "calculate": return { name: "calculate", args: { expression: request.expression } };
    case "convert": return { name: "convert_units", args: { value: request.value, from: request.from, to: request.to } };
    case "date": return { name: "find_date", args: { phrase: request.phrase } };
    case "wait": return { name: "wait", args: { seconds: request.seconds } };
    case "save": return { name: "save_note", args: { text: request.text } };
    case "find": case "delete": return { name: "find_notes", args: { query: request.query } };
  }
}

/** Notes are deleted by id, so a deletion takes two rounds: find them, then delete what was found. */
function deletions(requests: readonly Request[], answered: readonly Answered[]): PlannedCall[] {
  const wanted = new Set(requests.flatMap((request) => (request.kind === "delete" ? [request.query] : [])));
  const found = answered.filter(({ call, failed }) => call.name === "find_notes" && !failed && wanted.has(String(call.args["query"])));
  const ids = new Set(found.flatMap(({ content }) => FoundNotes.parse(JSON.parse(content)).map(({ id }) => id)));
  return [...ids].map((id) => ({ name: "delete_note", args: { id } }));
}

/** The next calls of a turn; none when it is time to answer. */
export function nextCalls({ text, started, answered }: Turn): PlannedCall[] {
  const requests = requestsIn(text);
  if (!started) return requests.map(firstCall);
  return answered.some(({ call }) => call.name === "delete_note") ? [] : deletions(requests, answered);
}
