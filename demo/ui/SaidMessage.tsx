import { Pencil } from "lucide-react";
import { useState, type KeyboardEvent, type SyntheticEvent } from "react";
import { Alternatives } from "./Alternatives.tsx";
import type { MessageProps } from "./Message.tsx";

/** What the user said, and a field to say something else in its place. */
export function SaidMessage({ message, position, canFork, alternative, actions }: MessageProps) {
  const [editing, setEditing] = useState(false);
  if (editing && canFork) {
    return <EditField text={message.text} cancel={() => setEditing(false)} send={(text) => actions.edit(position, text)} />;
  }
  return (
    <div className="said">
      <span className="visually-hidden">You:</span>
      <p>{message.text}</p>
      <div className="message-actions">
        {canFork && (
          <span className="on-hover">
            <button type="button" className="icon-button tiny" aria-label="Edit the message" title="Edit, on a branch" onClick={() => setEditing(true)}>
              <Pencil />
            </button>
          </span>
        )}
        {canFork && alternative !== undefined && <Alternatives alternative={alternative} choose={actions.choose} />}
      </div>
    </div>
  );
}

interface FieldProps {
  readonly text: string;
  readonly cancel: () => void;
  readonly send: (text: string) => void;
}

function EditField({ text, cancel, send }: FieldProps) {
  const [edited, setEdited] = useState(text);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (edited.trim() === "") return;
    cancel();
    send(edited.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") cancel();
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
  };
  return (
    <form className="edit" onSubmit={submit}>
      <textarea aria-label="The message, edited" value={edited} autoFocus onChange={(event) => setEdited(event.target.value)} onKeyDown={onKeyDown} />
      <p>The thread goes on from here on a branch. What there was stays.</p>
      <div className="dialog-actions">
        <button type="button" className="button small" onClick={cancel}>
          Cancel
        </button>
        <button type="submit" className="button primary small" disabled={edited.trim() === ""}>
          Send
        </button>
      </div>
    </form>
  );
}
