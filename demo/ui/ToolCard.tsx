import type { ToolMessage } from "@langchain/core/messages";
import { Check, ChevronRight, CircleDashed, LoaderCircle, X } from "lucide-react";
import { useState } from "react";
import type { ToolCall } from "../agent/toolCalls.ts";
import { ToolDetails } from "./ToolDetails.tsx";
import { wordingOf } from "./toolWording.ts";

interface Props {
  readonly call: ToolCall;
  readonly result: ToolMessage | undefined;
  readonly working: boolean;
}

const MARKS = { waiting: CircleDashed, working: LoaderCircle, done: Check, failed: X };
const SAID = { waiting: "not run yet", working: "working", done: "done", failed: "not done" };

export function ToolCard({ call, result, working }: Props) {
  const [open, setOpen] = useState(false);
  const { icon: Icon, name, subject } = wordingOf(call);
  const state = stateOf(result, working);
  const Mark = MARKS[state];
  return (
    <details className="tool" data-state={state} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon className="tool-icon" />
        <span className="tool-name">{name}</span>
        <span className="tool-subject">{subject(call.args)}</span>
        <Mark className="tool-mark" aria-label={SAID[state]} role="img" />
        <ChevronRight className="tool-chevron" />
      </summary>
      {open && <ToolDetails call={call} result={result} />}
    </details>
  );
}

function stateOf(result: ToolMessage | undefined, working: boolean): keyof typeof MARKS {
  if (result !== undefined) return result.status === "error" ? "failed" : "done";
  return working ? "working" : "waiting";
}
