import { useState } from "react";
import { problemOf, type Problem } from "../../conversation/problem.ts";
import { counted, milliseconds, whole } from "../numbers.ts";
import { Failed } from "../Panel.tsx";
import { MESSAGES, prepare, read, type Trial, type Where } from "./frameTrial.ts";

/** A frame that took longer is one that a person notices. */
const NOTICED_MS = 50;
const NAMES = { worker: "In the worker", page: "On the page" } as const;

type Busy = "ready" | "preparing" | Where;

/** The same read of a long thread, in the worker and on the page, and what it does to the page's frames. */
export function FrameTrial() {
  const [busy, setBusy] = useState<Busy>("ready");
  const [made, setMade] = useState(0);
  const [trials, setTrials] = useState<Partial<Record<Where, Trial>>>({});
  const [problem, setProblem] = useState<Problem>();

  const run = async (where: Where) => {
    setProblem(undefined);
    try {
      setBusy("preparing");
      await prepare(setMade);
      setBusy(where);
      const trial = await read(where);
      setTrials((before) => ({ ...before, [where]: trial }));
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy("ready");
    }
  };

  return (
    <section className="frame-trial" aria-label="Worker or page">
      <h3>Worker or page?</h3>
      <p className="panel-says">Reads a thread of {whole.format(MESSAGES)} messages with nothing in memory, and times the page’s frames meanwhile.</p>
      <div className="panel-actions">
        {(["worker", "page"] as const).map((where) => (
          <button key={where} type="button" className="button small" disabled={busy !== "ready"} onClick={() => void run(where)}>
            Read {NAMES[where].toLowerCase()}
          </button>
        ))}
        <span role="status">
          {busy === "preparing" && made < MESSAGES && `Making the thread: ${whole.format(made)} messages`}
          {(busy === "worker" || busy === "page") && "Reading…"}
        </span>
      </div>
      {problem !== undefined && <Failed problem={problem} again={() => setProblem(undefined)} />}
      {(["worker", "page"] as const).map((where) => trials[where] && <Frames key={where} trial={trials[where]} />)}
    </section>
  );
}

function Frames({ trial: { where, frames, report } }: { readonly trial: Trial }) {
  const longest = Math.max(...frames);
  const noticed = frames.filter((gap) => gap > NOTICED_MS).length;
  return (
    <div className="frames">
      <h4>{NAMES[where]}</h4>
      <p>
        Longest frame <strong>{milliseconds(longest)}</strong>, {noticed === 0 ? "none" : counted(noticed, "frame")} over {NOTICED_MS} ms; read in{" "}
        {milliseconds(report.ms.total)}, {milliseconds(report.ms.storage)} of it storage.
      </p>
      <div className="frame-bars" aria-hidden="true">
        {frames.map((gap, at) => (
          <span key={at} data-noticed={gap > NOTICED_MS} style={{ flexGrow: gap, height: `${String(Math.min(100, 8 + gap / 2))}%` }} />
        ))}
      </div>
    </div>
  );
}
