import type { ReadReport } from "langgraph-checkpoint-indexeddb";
import { useEffect, useState } from "react";
import { saver } from "../../store/saver.ts";

const KEPT = 12;

export interface Heard {
  readonly key: number;
  readonly report: ReadReport;
}

let count = 0;

/** The last reads of the saver, newest first. It counts only while somebody looks. */
export function useReports(): readonly Heard[] {
  const [heard, setHeard] = useState<readonly Heard[]>([]);
  useEffect(
    () =>
      saver.on("read", (report) => {
        count++;
        const next = { key: count, report };
        setHeard((before) => [next, ...before].slice(0, KEPT));
      }),
    [],
  );
  return heard;
}
