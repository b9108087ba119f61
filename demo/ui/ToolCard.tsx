import type { ToolMessage } from "@langchain/core/messages";
import { Check, ChevronRight, CircleDashed, LoaderCircle, X } from "lucide-react";
import type { ToolCall } from "../agent/toolCalls.ts";
import type { ToolRunRow } from "../store/database.ts";
import { duration } from "./time.ts";
import { wordingOf } from "./toolWording.ts";

interface Props {
  readonly call: ToolCall;
  readonly result: ToolMessage | undefined;
  readonly run: ToolRunRow | undefined;
  readonly busy: boolean;
}

type State = "waiting" | "working" | "done" | "failed";

const MARKS = { waiting: CircleDashed, working: LoaderCircle, done: Check, failed: X };
const SAID = { waiting: "not run yet", working: "working", done: "done", failed: "not done" };

export function ToolCard({ call, result, run, busy }: Props) {
  const { icon: Icon, name, subject } = wordingOf(call);
  const state = stateOf(result, run, busy);
  const Mark = MARKS[state];
  return (
    <details className="tool" data-state={state}>
      <summary>
        <Icon className="tool-icon" />
        <span className="tool-name">{name}</span>
        <span className="tool-subject">{subject(call.args)}</span>
        <Mark className="tool-mark" aria-label={SAID[state]} role="img" />
        <ChevronRight className="tool-chevron" />
      </summary>
      <dl>
        <dt>Called with</dt>
        <dd>
          <code>{JSON.stringify(call.args)}</code>
        </dd>
        <dt>Answered</dt>
        <dd>{result === undefined ? "Nothing yet" : <code>{result.text}</code>}</dd>
        <dt>Ran</dt>
        <dd>{history(run)}</dd>
      </dl>
    </details>
  );
}

function stateOf(result: ToolMessage | undefined, run: ToolRunRow | undefined, busy: boolean): State {
  if (result !== undefined) return result.status === "error" ? "failed" : "done";
  return busy && run !== undefined ? "working" : "waiting";
}

function history(run: ToolRunRow | undefined): string {
  if (run === undefined) return "Not at all";
  const times = run.starts === 1 ? "Once" : `Started ${String(run.starts)} times`;
  return run.finishedAt === undefined ? times : `${times}, ${duration(run.finishedAt - run.startedAt)}`;
}
