import { useLiveQuery } from "dexie-react-hooks";
import { NotebookText, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { listNotes } from "../store/notes.ts";
import { shortTime } from "./time.ts";

/** What the agent's effects have left: the notes it saved. */
export function NotesDialog() {
  const notes = useLiveQuery(listNotes) ?? [];
  return (
    <Dialog.Root>
      <Dialog.Trigger className="side-link">
        <NotebookText /> Notes <span className="count">{notes.length}</span>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog" aria-describedby={undefined}>
          <div className="dialog-head">
            <Dialog.Title className="dialog-title">Notes</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close">
              <X />
            </Dialog.Close>
          </div>
          {notes.length === 0 ? (
            <p className="dialog-text">No notes yet. Ask the agent to remember something: it will ask you before it saves it.</p>
          ) : (
            <ul className="notes">
              {notes.map(({ id, text, savedAt }) => (
                <li key={id}>
                  <span>{text}</span>
                  <time dateTime={new Date(savedAt).toISOString()}>{shortTime(savedAt)}</time>
                </li>
              ))}
            </ul>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
