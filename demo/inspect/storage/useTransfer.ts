import type { TransferProgress } from "langgraph-checkpoint-indexeddb/threads";
import { useEffect, useRef, useState } from "react";
import { problemOf, type Problem } from "../../conversation/problem.ts";
import type { Watch } from "./backup.ts";

interface Transfer {
  /** How far it is, while it is under way. */
  readonly progress: TransferProgress | undefined;
  readonly problem: Problem | undefined;
  readonly run: (work: (watch: Watch) => Promise<void>) => Promise<void>;
  readonly cancel: () => void;
}

const BEGUN: TransferProgress = { bytes: 0, threads: 0, checkpoints: 0 };

/** One export or import at a time, which ends with the panel. */
export function useTransfer(failed: string): Transfer {
  const [state, setState] = useState<Pick<Transfer, "progress" | "problem">>({ progress: undefined, problem: undefined });
  const control = useRef(new AbortController());
  const cancel = () => control.current.abort();
  useEffect(() => cancel, []);

  const run = async (work: (watch: Watch) => Promise<void>) => {
    const { signal } = (control.current = new AbortController());
    setState({ progress: BEGUN, problem: undefined });
    let problem: Problem | undefined;
    try {
      await work({ signal, onProgress: (progress) => setState({ progress, problem: undefined }) });
    } catch (error) {
      if (!signal.aborted) problem = { ...problemOf(error), title: failed };
    }
    setState({ progress: undefined, problem });
  };
  return { ...state, run, cancel };
}
