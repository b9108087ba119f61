import { CircleCheck, TriangleAlert } from "lucide-react";
import type { RepairReport, VerifyReport } from "langgraph-checkpoint-indexeddb";
import { useState } from "react";
import { saver } from "../../store/saver.ts";
import { tellAll } from "../../conversation/tabs.ts";
import { problemOf, type Problem } from "../../conversation/problem.ts";
import { bytes, counted } from "../numbers.ts";
import { Failed } from "../Panel.tsx";

type Found = { readonly report: VerifyReport; readonly repair?: RepairReport };

/** Reads every row of the database, shows what is wrong, if anything, and repairs it if one wants. */
export function Verification() {
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);

  const look = async (work: () => Promise<Found>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      setFound(await work());
    } catch (error) {
      setFound(undefined);
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };
  const verify = () => look(async () => ({ report: await saver.verify() }));
  const repair = () =>
    look(async () => {
      const done = await saver.repair();
      for (const threadId of done.repaired) tellAll({ type: "changed", threadId });
      return { repair: done, report: await saver.verify() };
    });

  return (
    <section aria-label="Verification">
      <h3>Verification</h3>
      <p>Reads every row of all threads: checksums, order, and that each reference leads somewhere. Changes nothing.</p>
      <div className="panel-actions">
        <button type="button" className="button small" disabled={busy} onClick={() => void verify()}>
          {busy ? "Working…" : "Verify"}
        </button>
        {found !== undefined && found.report.problems.length > 0 && (
          <button type="button" className="button primary small" disabled={busy} onClick={() => void repair()}>
            Repair
          </button>
        )}
      </div>
      <div aria-live="polite">
        {problem !== undefined && <Failed problem={problem} again={() => void verify()} />}
        {found?.repair !== undefined && <Repaired report={found.repair} />}
        {found !== undefined && <Findings report={found.report} />}
      </div>
    </section>
  );
}

function Repaired({ report: { repaired, dropped } }: { readonly report: RepairReport }) {
  return (
    <p>
      <strong>{counted(repaired.length, "thread")} repaired.</strong> {counted(dropped.length, "row")} could not be saved. What can be read loads as before, and a
      thread goes on from its newest step that is whole.
    </p>
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
