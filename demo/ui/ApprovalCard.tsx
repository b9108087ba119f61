import { useLiveQuery } from "dexie-react-hooks";
import type { ToolCall } from "../agent/toolCalls.ts";
import { findNote } from "../store/notes.ts";

interface Props {
  readonly call: ToolCall;
  readonly approve: () => void;
  readonly decline: () => void;
}

/** The question before a call with an effect. It is asked by a checkpoint, so a reload asks it again. */
export function ApprovalCard({ call, approve, decline }: Props) {
  const deleting = call.name === "delete_note";
  const stored = useLiveQuery(async () => (deleting ? await findNote(textOf(call.args["id"])) : undefined), [call]);
  const text = deleting ? (stored?.text ?? "") : textOf(call.args["text"]);
  return (
    <section className="approval" aria-label="Approval">
      <h2>{deleting ? "Delete this note?" : "Save this note?"}</h2>
      <blockquote>{text}</blockquote>
      <div className="approval-actions">
        <button type="button" className={deleting ? "button danger" : "button primary"} onClick={approve}>
          {deleting ? "Delete note" : "Save note"}
        </button>
        <button type="button" className="button" onClick={decline}>
          {deleting ? "Keep it" : "Don’t save"}
        </button>
      </div>
      <p>The run waits here. The question is stored with the thread and is still open after a reload.</p>
    </section>
  );
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
