import type { ThreadInfo } from "langgraph-checkpoint-indexeddb/threads";
import { useState } from "react";
import { titleOf } from "../../store/threads.ts";
import { useThreads } from "../../ui/useThreads.ts";
import { Failed } from "../Panel.tsx";
import { download, exportThreads, transcriptOf } from "./backup.ts";
import { Progress } from "./Progress.tsx";
import { useTransfer } from "./useTransfer.ts";

/** The threads as a file that can be read back, and one of them for reading. */
export function Export({ threadId }: { readonly threadId: string | undefined }) {
  const list = useThreads();
  const { progress, problem, run, cancel } = useTransfer("Nothing was exported");
  const all = list?.complete === true ? list.threads : [];
  const current = all.find(({ id }) => id === threadId);

  const [total, setTotal] = useState(1);

  const write = (threads: readonly ThreadInfo[], name: string) =>
    run(async (watch) => {
      setTotal(threads.reduce((sum, { checkpoints }) => sum + checkpoints, 1));
      const ids = threads.map(({ id }) => id);
      download(await exportThreads(ids, watch), `${name}.threads`);
    });
  const everything = () => void write(all, `threads-${new Date().toISOString().slice(0, 10)}`);

  return (
    <section aria-label="Export">
      <h3>Export</h3>
      <p>
        A file with every checkpoint, branch and title, to keep or to take to another browser. Each message is in it once, and it is not encrypted: whoever has the
        file can read the threads.
      </p>
      <div className="panel-actions">
        <button type="button" className="button small" disabled={all.length === 0 || progress !== undefined} onClick={everything}>
          Export all threads
        </button>
        {current !== undefined && (
          <>
            <button type="button" className="button small" disabled={progress !== undefined} onClick={() => void write([current], fileName(current))}>
              Export this one
            </button>
            <button
              type="button"
              className="button small"
              disabled={progress !== undefined}
              onClick={() => void run(async () => download(await transcriptOf(current.id), `${fileName(current)}.md`))}
            >
              Transcript
            </button>
          </>
        )}
      </div>
      {progress !== undefined && <Progress label="Exported" progress={progress} value={progress.checkpoints} max={total} cancel={cancel} />}
      {problem !== undefined && <Failed problem={problem} again={everything} />}
    </section>
  );
}

const fileName = (thread: ThreadInfo): string => titleOf(thread).replaceAll(/[^\p{L}\p{N}]+/gu, "-");
