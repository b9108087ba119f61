import { useState } from "react";
import { reported } from "../../ui/failures.ts";
import { bytes } from "../numbers.ts";
import { fillRoom, freeRoom, MOST } from "./filler.ts";

type State = "ready" | "filling" | "full" | "too much room";

/** What happens when the browser has no room left: the next message shows it. */
export function FullDisk({ look }: { readonly look: () => void }) {
  const [written, setWritten] = useState(0);
  const [state, setState] = useState<State>("ready");

  const fill = async () => {
    setState("filling");
    setState((await fillRoom(setWritten)) ? "full" : "too much room");
    look();
  };
  const free = async () => {
    await freeRoom();
    setState("ready");
    look();
  };

  return (
    <section aria-label="A full disk">
      <h3>A full disk</h3>
      <p>
        Fills the site’s room with noise, with {bytes(MOST)} at most. Then send a message: nothing of a step that does not fit is stored, and what is stored stays
        readable.
      </p>
      <div className="panel-actions">
        <button type="button" className="button small" disabled={state === "filling" || state === "full"} onClick={() => reported(fill())}>
          Fill the disk
        </button>
        <button type="button" className="button small" disabled={state !== "full"} onClick={() => reported(free())}>
          Free it again
        </button>
        <span role="status">
          {state === "filling" && `${bytes(written)} written`}
          {state === "full" && "The disk is full."}
        </span>
      </div>
      {state === "too much room" && (
        <p role="status">
          There is more room than that, and it is free again. In Chromium’s developer tools, under Application, Storage, set “Simulate custom storage quota” to a few
          MB, then try once more.
        </p>
      )}
    </section>
  );
}
