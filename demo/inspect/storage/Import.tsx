import { CircleCheck } from "lucide-react";
import type { ImportMode, ImportReport } from "langgraph-checkpoint-indexeddb/threads";
import { ToggleGroup } from "radix-ui";
import { useRef, useState } from "react";
import { threadHref } from "../../ui/route.ts";
import { counted } from "../numbers.ts";
import { Failed } from "../Panel.tsx";
import { importThreads, tryImport } from "./backup.ts";
import { Progress } from "./Progress.tsx";
import { useTransfer } from "./useTransfer.ts";

const MODES: Readonly<Record<ImportMode, { readonly label: string; readonly says: string }>> = {
  merge: { label: "Merge", says: "A thread that is here gets the steps that it lacks, and keeps its own: where it went on in two places, branches part." },
  replace: { label: "Replace", says: "A thread that is here is deleted, and the one of the file takes its place." },
  "new-id": { label: "Copy", says: "Threads that are here stay as they are. Those of the file come beside them, as threads of their own." },
};

interface Chosen {
  readonly file: File;
  readonly report: ImportReport;
  /** It was only tried. */
  readonly isTrial: boolean;
}

/** Threads out of a file, first on trial: whoever chose it sees what it would do. */
export function Import({ look }: { readonly look: () => void }) {
  const [mode, setMode] = useState<ImportMode>("merge");
  const [chosen, setChosen] = useState<Chosen>();
  const [size, setSize] = useState(1);
  const { progress, problem, run, cancel } = useTransfer("Nothing was imported");
  const input = useRef<HTMLInputElement>(null);
  const choose = () => input.current?.click();

  const read = (file: File, wanted: ImportMode, isTrial: boolean) =>
    run(async (watch) => {
      setSize(file.size);
      setChosen(undefined);
      const report = await (isTrial ? tryImport : importThreads)(file, wanted, watch);
      setChosen({ file, report, isTrial });
      look();
    });

  const decide = (wanted: ImportMode) => {
    setMode(wanted);
    if (chosen?.isTrial === true) void read(chosen.file, wanted, true);
  };

  return (
    <section aria-label="Import">
      <h3>Import</h3>
      <ToggleGroup.Root
        className="segments small"
        type="single"
        aria-label="How to import"
        value={mode}
        disabled={progress !== undefined}
        onValueChange={(wanted) => wanted !== "" && decide(wanted as ImportMode)}
      >
        {Object.entries(MODES).map(([value, { label }]) => (
          <ToggleGroup.Item key={value} className="segment" value={value}>
            {label}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
      <p>{MODES[mode].says}</p>
      <div className="panel-actions">
        <button type="button" className="button small" disabled={progress !== undefined} onClick={choose}>
          Choose a file…
        </button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".threads"
          onChange={({ currentTarget: { files } }) => {
            if (files?.[0] !== undefined) void read(files[0], mode, true);
          }}
          onClick={({ currentTarget }) => {
            currentTarget.value = ""; // The same file again is a choice too.
          }}
        />
      </div>
      {progress !== undefined && <Progress label="Read" progress={progress} value={progress.bytes} max={size} cancel={cancel} />}
      {problem !== undefined && <Failed problem={problem} again={choose} />}
      <div role="status">
        {chosen !== undefined &&
          (chosen.isTrial ? (
            <>
              <p>
                <strong>{chosen.file.name}</strong> is whole. {outcome(chosen.report, "would be")} Nothing is changed yet.
              </p>
              <div className="panel-actions">
                <button type="button" className="button primary small" onClick={() => void read(chosen.file, mode, false)}>
                  Import {counted(chosen.report.threads.length, "thread")}
                </button>
                <button type="button" className="button small" onClick={() => setChosen(undefined)}>
                  Leave it
                </button>
              </div>
            </>
          ) : (
            <p className="kept">
              <CircleCheck /> {outcome(chosen.report, "is", "are")}
              {chosen.report.threads.length === 1 && <a href={threadHref(chosen.report.threads[0]?.id ?? "")}>Open it</a>}
            </p>
          ))}
      </div>
    </section>
  );
}

const OUTCOMES = { added: "new", merged: "merged", replaced: "replaced", unchanged: "left alone" } as const;

/** "2 threads are new, 1 is merged: 14 checkpoints come in." */
function outcome({ threads }: ImportReport, one: string, more = one): string {
  const parts = Object.entries(OUTCOMES).flatMap(([key, word]) => {
    const count = threads.filter((thread) => thread.outcome === key).length;
    return count === 0 ? [] : [`${counted(count, "thread")} ${count === 1 ? one : more} ${word}`];
  });
  const checkpoints = threads.reduce((sum, thread) => sum + thread.checkpoints, 0);
  return parts.length === 0 ? "It holds no thread." : `${parts.join(", ")}: ${counted(checkpoints, "checkpoint")} more.`;
}
