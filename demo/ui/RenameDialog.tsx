import type { ThreadInfo } from "langgraph-checkpoint-indexeddb/threads";
import { Dialog } from "radix-ui";
import type { SyntheticEvent } from "react";
import { renameThread, titleOf } from "../store/threads.ts";
import { reported } from "./failures.ts";

interface Props {
  readonly thread: ThreadInfo;
  readonly open: boolean;
  readonly close: () => void;
}

export function RenameDialog({ thread, open, close }: Props) {
  const rename = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const title = new FormData(event.currentTarget).get("title");
    if (typeof title === "string" && title.trim() !== "") reported(renameThread(thread.id, title));
    close();
  };
  return (
    <Dialog.Root open={open} onOpenChange={(wanted) => !wanted && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog" aria-describedby={undefined}>
          <Dialog.Title className="dialog-title">Rename the thread</Dialog.Title>
          <form onSubmit={rename}>
            <label className="field">
              <span>Title</span>
              <input name="title" defaultValue={titleOf(thread)} maxLength={120} required autoFocus onFocus={(event) => event.target.select()} />
            </label>
            <div className="dialog-actions">
              <Dialog.Close className="button">Cancel</Dialog.Close>
              <button type="submit" className="button primary">
                Rename
              </button>
            </div>
          </form>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
