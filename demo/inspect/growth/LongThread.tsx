import { threadHref } from "../../ui/route.ts";
import { counted } from "../numbers.ts";
import { Failed } from "../Panel.tsx";
import { cancelMaking, makeLongThread, TURNS, useMaking } from "./longThread.ts";

/** Makes a thread long enough for the curve to be seen. */
export function LongThread() {
  const making = useMaking();
  if (making === undefined || (!making.running && making.problem === undefined && making.turns === 0)) {
    return (
      <div className="long-thread">
        <button type="button" className="button small" onClick={() => void makeLongThread()}>
          Make a thread of {TURNS} turns
        </button>
        <small>The agent’s graph with answers that are ready: every checkpoint is real.</small>
      </div>
    );
  }
  const { turns, running, problem, threadId } = making;
  return (
    <div className="long-thread">
      {running ? (
        <>
          <progress max={TURNS} value={turns} aria-label="Turns made" />
          <span role="status">
            {turns} of {TURNS} turns
          </span>
          <button type="button" className="button small" onClick={cancelMaking}>
            Cancel
          </button>
        </>
      ) : (
        <>
          <span role="status">{counted(turns, "turn")} made.</span>
          <a className="button primary small" href={threadHref(threadId)}>
            Open the thread
          </a>
          <button type="button" className="button small" onClick={() => void makeLongThread()}>
            Make another
          </button>
        </>
      )}
      {problem !== undefined && <Failed problem={problem} again={() => void makeLongThread()} />}
    </div>
  );
}
