import type { SaverName } from "../page/savers.ts";
import type { Workload } from "../page/workload.ts";
import type { Report } from "./report.ts";
import type { Summary } from "./summary.ts";

const names: Readonly<Record<SaverName, string>> = {
  memory: "`MemorySaver`",
  "full-copy": "full copy",
  inline: "**ours**, inline",
  worker: "**ours**, worker",
};

/** The tables of the README. */
export function tables({ savers, frequencies, contentBytes, environment: where }: Report): string {
  const lengths = [...new Set(savers.map((each) => each.turns))];
  const content = lengths.map((turns) => `${turns} turns: ${bytes(contentBytes[turns] ?? 0)}`).join(", ");
  const floor = savers.filter(({ saver }) => saver === "memory").map(({ reloadMs }) => reloadMs);
  return [
    `${where.browser}, ${where.cpu}, ${where.cores} cores, ${where.os}; ${where.packages.join(", ")}; ${where.date.slice(0, 10)}. ` +
      `Bytes of content alone: ${content}. ` +
      `Of every read on a fresh page LangGraph's own part is about ${ms(Math.min(...floor))} ms.`,
    table(
      ["turns", "channel", "saver", "ms a turn", "last tenth", "`getState`", "reloaded", "cold", "rows", "on disk", "tidied"],
      savers.map((row) => [
        String(row.turns),
        row.workload.channel,
        names[row.saver],
        ms(row.msPerTurn),
        ms(row.msByTenth.at(-1) ?? NaN),
        ms(row.warmMs),
        ...(row.coldMs === undefined ? ["lost", "lost"] : [ms(row.reloadMs), ms(row.coldMs)]),
        bytes(row.rowBytes),
        ...(row.diskBytes === undefined ? ["none", "none"] : [bytes(row.diskBytes), bytes(row.tidiedDiskBytes ?? NaN)]),
      ]),
    ),
    `Ours in a worker, ${frequencies[0]?.turns ?? 0} turns with a delta channel, by its snapshot frequency:`,
    table(
      ["snapshot every", "ms a turn", "last tenth", "`getState`", "reloaded", "cold", "rows", "on disk", "tidied"],
      frequencies.map((row) => [
        frequency(row.workload),
        ms(row.msPerTurn),
        ms(row.msByTenth.at(-1) ?? NaN),
        ms(row.warmMs),
        ms(row.reloadMs),
        ms(row.coldMs ?? NaN),
        bytes(row.rowBytes),
        bytes(row.diskBytes ?? NaN),
        bytes(row.tidiedDiskBytes ?? NaN),
      ]),
    ),
  ].join("\n\n");
}

/** What each object store holds, for tuning: printed, not published. */
export function storeTable(summaries: readonly Summary[]): string {
  return table(
    ["turns", "channel", "frequency", "saver", "store", "rows", "keys", "values", "bytes a row", "index entries", "index"],
    summaries.flatMap((row) =>
      row.stores.map((each) => [
        String(row.turns),
        row.workload.channel,
        frequency(row.workload),
        row.saver,
        each.store,
        String(each.rows),
        bytes(each.keyBytes),
        bytes(each.valueBytes),
        each.rows === 0 ? "" : ((each.keyBytes + each.valueBytes) / each.rows).toFixed(0),
        String(each.indexEntries),
        bytes(each.indexBytes),
      ]),
    ),
  );
}

const frequency = (workload: Workload): string => (workload.channel === "delta" ? String(workload.frequency) : "");

const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

function bytes(value: number): string {
  if (value < 1e3) return `${value} B`;
  if (value < 1e6) return `${(value / 1e3).toFixed(value < 1e5 ? 1 : 0)} KB`;
  return `${(value / 1e6).toFixed(value < 1e8 ? 2 : 0)} MB`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, at) => (rows.every((row) => /^[\d.]+ ?[KM]?B?$|^(lost|none|–|)$/.test(row[at] ?? "")) ? "---:" : "---"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
