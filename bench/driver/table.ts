/** What a cell shows; undefined was not measured here. */
export type Cell = string | undefined;

const numeric = /^(\*\*)?[\d.,]+ ?([KM]?B|ms|×)?(\*\*)?$|^–$/;

/** A table in Markdown; columns of numbers are aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) => head.map((_, at) => row[at] ?? "–"));
  const rule = head.map((_, at) => (cells.every((row) => numeric.test(row[at] ?? "–")) ? "---:" : "---"));
  return [head, rule, ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

export const ms = (value: number | undefined): Cell => value?.toFixed(value < 10 ? 1 : 0);

export const times = (value: number | undefined): Cell => (value === undefined ? undefined : `${value < 9.995 ? value.toFixed(2) : value.toFixed(0)}×`);

export function bytes(value: number | undefined): Cell {
  if (value === undefined) return undefined;
  if (value < 0) return `-${bytes(-value)}`;
  if (value < 1e3) return `${Math.round(value)} B`;
  if (value < 1e6) return `${(value / 1e3).toFixed(value < 1e5 ? 1 : 0)} KB`;
  return `${(value / 1e6).toFixed(value < 1e8 ? 2 : 0)} MB`;
}
