import { useState } from "react";
import { threadHref } from "../../ui/route.ts";
import { counted } from "../numbers.ts";
import { Failed } from "../Panel.tsx";
import { Segments } from "../Segments.tsx";
import { cancelMaking, makeLongThread, TURNS, useMaking, type Channel } from "./longThread.ts";

const CHANNELS: Readonly<Record<Channel, string>> = { plain: "Plain channel", delta: "Delta channel" };

const EXPLAINED: Readonly<Record<Channel, string>> = {
  plain: "Every checkpoint holds the whole list of messages, as in this chat.",
  delta: "A checkpoint holds what its step wrote, and one in a while a snapshot of the list.",
};

/** Makes a thread long enough for the curve to be seen. */
export function LongThread() {
  const making = useMaking();
  const [channel, setChannel] = useState<Channel>("plain");
  const made = making !== undefined && making.turns > 0;
  const make = () => void makeLongThread(channel);

  if (making?.running === true) {
    return (
      <div className="long-thread">
        <progress max={TURNS} value={making.turns} aria-label="Turns made" />
        <span role="status">
          {making.turns} of {TURNS} turns
        </span>
        <button type="button" className="button small" onClick={cancelMaking}>
          Cancel
        </button>
      </div>
    );
  }
  return (
    <div className="long-thread">
      {made && (
        <>
          <span role="status">{counted(making.turns, "turn")} made.</span>
          <a className="button primary small" href={threadHref(making.threadId)}>
            Open the thread
          </a>
        </>
      )}
      <Segments label="Messages are kept in a" choices={CHANNELS} chosen={channel} choose={setChannel} />
      <button type="button" className="button small" onClick={make}>
        {made ? "Make another" : `Make a thread of ${String(TURNS)} turns`}
      </button>
      <small>{EXPLAINED[channel]} The agent’s graph runs with answers that are ready: every checkpoint is real.</small>
      {making?.problem !== undefined && <Failed problem={making.problem} again={make} />}
    </div>
  );
}
