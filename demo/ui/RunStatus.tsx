import { CirclePause, LoaderCircle, RotateCcw, TriangleAlert } from "lucide-react";
import type { Problem } from "../conversation/problem.ts";
import type { View } from "../conversation/view.ts";

interface Props {
  readonly view: View;
  readonly proceed: () => void;
  readonly openSettings: () => void;
}

/** What the run is doing, in a sentence, and what the reader can do about it. */
export function RunStatus({ view, proceed, openSettings }: Props) {
  const { phase, problem, resumed, speech } = view;
  return (
    <div className="status" aria-live="polite">
      {resumed && phase === "running" && (
        <p className="notice">
          <RotateCcw /> <span>Resumed a run that was interrupted. What had finished is not run again.</span>
        </p>
      )}
      {phase === "running" && speech === "" && <Working text="Working…" />}
      {phase === "elsewhere" && <Working text="Running in another tab…" />}
      {phase === "unfinished" && <Working text="Resuming…" />}
      {phase === "stopped" && (
        <div className="notice">
          <CirclePause /> <span>Stopped. What had finished is kept.</span>
          <button type="button" className="button small" onClick={proceed}>
            Continue
          </button>
        </div>
      )}
      {problem !== undefined && <ProblemCard problem={problem} canRetry={phase === "failed" || phase === "unreadable"} proceed={proceed} openSettings={openSettings} />}
    </div>
  );
}

function Working({ text }: { readonly text: string }) {
  return (
    <p className="working">
      <LoaderCircle /> {text}
    </p>
  );
}

interface ProblemProps extends Omit<Props, "view"> {
  readonly problem: Problem;
  readonly canRetry: boolean;
}

function ProblemCard({ problem: { title, text, remedy }, canRetry, proceed, openSettings }: ProblemProps) {
  return (
    <section className="problem" role="alert">
      <TriangleAlert />
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
        <div className="problem-actions">
          {canRetry && (
            <button type="button" className="button primary small" onClick={proceed}>
              Try again
            </button>
          )}
          {remedy === "settings" && (
            <button type="button" className="button small" onClick={openSettings}>
              Open settings
            </button>
          )}
          {remedy === "reload" && (
            <button type="button" className="button small" onClick={() => location.reload()}>
              Reload
            </button>
          )}
        </div>
      </div>
    </section>
  );
}
