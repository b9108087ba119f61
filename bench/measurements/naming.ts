import type { Case } from "../page/chat.ts";
import type { SubjectName } from "../page/subjects.ts";

export const subjectTitles: Readonly<Record<SubjectName, string>> = {
  memory: "`MemorySaver`",
  "full-copy": "full copy",
  sqlite: "full copy in SQLite",
  keyval: "`idb-keyval`, plain objects",
  "keyval-messages": "`idb-keyval`, messages",
  raw: "raw limit, on the page",
  "raw-worker": "raw limit, through a worker",
  inline: "**ours**, inline",
  worker: "**ours**, worker",
  encrypted: "**ours**, worker, encrypted",
};

/** What a case's messages are kept in. */
export function channelOf({ workload }: Pick<Case, "workload">): string {
  if (workload === undefined) return "one array";
  return workload.channel === "plain" ? "plain" : `delta, every ${workload.frequency}`;
}

/** Picks one case of a measurement; undefined where the browser can't run it. */
export function pick<Row extends Case>(rows: readonly Row[], subject: SubjectName, channel: "plain" | "array" | number): Row | undefined {
  return rows.find(
    (row) =>
      row.subject === subject &&
      (channel === "array" || (typeof channel === "number"
        ? row.workload?.channel === "delta" && row.workload.frequency === channel
        : row.workload?.channel === channel)),
  );
}

export const ratio = (over: number | undefined, under: number | undefined): number | undefined =>
  over === undefined || under === undefined ? undefined : over / under;
