import { ArrowLeftRight, Calculator, CalendarDays, NotebookPen, Search, Timer, Trash2, Wrench, type LucideIcon } from "lucide-react";
import type { ToolCall } from "../agent/toolCalls.ts";

interface Wording {
  readonly icon: LucideIcon;
  readonly name: string;
  readonly subject: (args: ToolCall["args"]) => string;
}

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

const WORDING: Readonly<Record<string, Wording>> = {
  calculate: { icon: Calculator, name: "Calculate", subject: ({ expression }) => text(expression) },
  convert_units: { icon: ArrowLeftRight, name: "Convert", subject: ({ value, from, to }) => `${text(value)} ${text(from)} to ${text(to)}` },
  find_date: { icon: CalendarDays, name: "Find date", subject: ({ phrase }) => text(phrase) },
  wait: { icon: Timer, name: "Wait", subject: ({ seconds }) => (seconds === 1 ? "1 second" : `${text(seconds)} seconds`) },
  find_notes: { icon: Search, name: "Find notes", subject: ({ query }) => text(query) || "all" },
  save_note: { icon: NotebookPen, name: "Save note", subject: (args) => text(args["text"]) },
  delete_note: { icon: Trash2, name: "Delete note", subject: () => "" },
};

export function wordingOf({ name }: ToolCall): Wording {
  return WORDING[name] ?? { icon: Wrench, name, subject: () => "" };
}
