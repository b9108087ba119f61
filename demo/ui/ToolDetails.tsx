import type { ToolMessage } from "@langchain/core/messages";
import { useLiveQuery } from "dexie-react-hooks";
import type { ToolCall } from "../agent/toolCalls.ts";
import type { ToolRunRow } from "../store/database.ts";
import { toolRun } from "../store/toolRuns.ts";
import { duration } from "./time.ts";

interface Props {
  readonly call: ToolCall;
  readonly result: ToolMessage | undefined;
}

export function ToolDetails({ call, result }: Props) {
  const run = useLiveQuery(() => toolRun(call.id), [call.id]);
  return (
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
  );
}

function history(run: ToolRunRow | undefined): string {
  if (run === undefined) return "Not at all";
  const times = run.starts === 1 ? "Once" : `Started ${String(run.starts)} times`;
  return run.finishedAt === undefined ? times : `${times}, ${duration(run.finishedAt - run.startedAt)}`;
}
