import { Undo2, X } from "lucide-react";
import { titleOf } from "../store/threads.ts";
import { bringBack, keepDeleted, useDeleted } from "./deleted.ts";

export function DeletedToast() {
  const thread = useDeleted();
  return (
    <div className="toaster" role="status">
      {thread !== undefined && (
        <p className="toast">
          <span>“{titleOf(thread)}” is deleted.</span>
          <button type="button" className="button small" onClick={bringBack}>
            <Undo2 /> Undo
          </button>
          <button type="button" className="icon-button small" aria-label="Delete it for good" onClick={keepDeleted}>
            <X />
          </button>
        </p>
      )}
    </div>
  );
}
