import { AlertDialog } from "radix-ui";
import { useState } from "react";
import { deleteThread } from "../conversation/deletion.ts";
import { problemOf } from "../conversation/problem.ts";
import type { ThreadRow } from "../store/database.ts";
import { goTo, NEW_THREAD_HREF } from "./route.ts";

interface Props {
  readonly thread: ThreadRow;
  readonly current: boolean;
  readonly open: boolean;
  readonly close: () => void;
}

export function DeleteThreadDialog({ thread, current, open, close }: Props) {
  const [problem, setProblem] = useState<string>();
  const [deleting, setDeleting] = useState(false);

  const remove = async () => {
    setDeleting(true);
    setProblem(undefined);
    try {
      await deleteThread(thread.id);
      if (current) goTo(NEW_THREAD_HREF);
      close();
    } catch (error) {
      setProblem(problemOf(error).text);
    } finally {
      setDeleting(false);
    }
  };

  return (
    <AlertDialog.Root open={open} onOpenChange={(wanted) => !wanted && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="overlay" />
        <AlertDialog.Content className="dialog">
          <AlertDialog.Title className="dialog-title">Delete this thread?</AlertDialog.Title>
          <AlertDialog.Description className="dialog-text">
            “{thread.title}” and its whole history are removed from this browser. Notes stay.
          </AlertDialog.Description>
          {problem !== undefined && (
            <p className="dialog-problem" role="alert">
              {problem}
            </p>
          )}
          <div className="dialog-actions">
            <AlertDialog.Cancel className="button">Keep it</AlertDialog.Cancel>
            <button type="button" className="button danger" disabled={deleting} onClick={() => void remove()}>
              {deleting ? "Deleting…" : "Delete"}
            </button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
