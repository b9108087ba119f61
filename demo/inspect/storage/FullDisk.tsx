import { useState } from "react";
import { reported } from "../../ui/failures.ts";
import { bytes } from "../numbers.ts";
import { fillRoom, freeRoom, MOST } from "./filler.ts";
import type { Room } from "./room.ts";

interface Props {
  readonly room: Room | undefined;
  readonly look: () => void;
}

/** What happens when the browser has no room left: the next message shows it. */
export function FullDisk({ room, look }: Props) {
  const [written, setWritten] = useState(0);
  const [filling, setFilling] = useState(false);
  const [full, setFull] = useState(false);
  const fits = room !== undefined && room.quota - room.usage <= MOST;

  const fill = async () => {
    setFilling(true);
    try {
      setFull((await fillRoom(setWritten)) !== undefined);
    } finally {
      setFilling(false);
      look();
    }
  };
  const free = async () => {
    await freeRoom();
    setFull(false);
    setWritten(0);
    look();
  };

  return (
    <section aria-label="A full disk">
      <h3>A full disk</h3>
      {fits || full ? (
        <p>Fills the site’s room with noise. Then send a message: nothing of a step that does not fit is stored, and what is stored stays readable.</p>
      ) : (
        <p>
          This browser gives the site more room than a demonstration should fill. In Chromium’s developer tools, under Application, Storage, “Simulate custom storage quota”
          set a few MB more than are used; then come back.
        </p>
      )}
      <div className="panel-actions">
        <button type="button" className="button small" disabled={!fits || filling || full} onClick={() => reported(fill())}>
          Fill the disk
        </button>
        <button type="button" className="button small" disabled={filling || !full} onClick={() => reported(free())}>
          Free it again
        </button>
        <span role="status">
          {filling && `${bytes(written)} written`}
          {full && "The disk is full."}
        </span>
      </div>
    </section>
  );
}
