import { CircleCheck, TriangleAlert } from "lucide-react";
import type { VerifyReport } from "langgraph-checkpoint-indexeddb";
import { useState } from "react";
import { saver } from "../../store/saver.ts";
import { problemOf, type Problem } from "../../conversation/problem.ts";
import { bytes, counted } from "../numbers.ts";
import { Failed } from "../Panel.tsx";

/** Reads every row of the database and shows what is wrong, if anything. */
export function Verification() {
  const [report, setReport] = useState<VerifyReport>();
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);

  const verify = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      setReport(await saver.verify());
    } catch (error) {
      setReport(undefined);
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <section aria-label="Verification">
      <h3>Verification</h3>
      <p>Reads every row of all threads: checksums, order, and that each reference leads somewhere. Changes nothing.</p>
      <div className="panel-actions">
        <button type="button" className="button small" disabled={busy} onClick={() => void verify()}>
          {busy ? "Verifying…" : "Verify"}
        </button>
      </div>
      <div aria-live="polite">
        {problem !== undefined && <Failed problem={problem} again={() => void verify()} />}
        {report !== undefined && <Findings report={report} />}
      </div>
    </section>
  );
}

function Findings({ report: { checked, problems, notes } }: { readonly report: VerifyReport }) {
  return (
    <>
      <p className={problems.length === 0 ? "kept" : "found"}>
        {problems.length === 0 ? <CircleCheck /> : <TriangleAlert />}
        {problems.length === 0 ? "All is well." : `${counted(problems.length, "problem")} found.`} Looked at {counted(checked.threads, "thread")},{" "}
        {counted(checked.checkpoints, "checkpoint")}, {counted(checked.writes, "write")} and {counted(checked.elements, "element")} of content, {bytes(checked.bytes)}.
      </p>
      {[...problems, ...notes].length > 0 && (
        <ul className="findings">
          {[...problems, ...notes].map(({ code, store, key, sentence }) => (
            <li key={`${code} ${store} ${key}`}>
              <code>{code}</code> {sentence}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
