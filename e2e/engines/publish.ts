import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { engineNames } from "./browsers.ts";
import { projects, readResults, type Project, type Results } from "./results.ts";

const guide = fileURLToPath(new URL("../../docs/engines.md", import.meta.url));

const titles: Readonly<Record<Project, string>> = {
  node: "fake-indexeddb, in Node",
  chromium: "Chromium",
  firefox: "Firefox",
  webkit: "WebKitGTK",
};

/** Puts what was seen into the tables of docs/engines.md. */
export async function publish(): Promise<void> {
  await writeFile(guide, published(await readFile(guide, "utf8"), await readResults()));
}

/** The text with what was seen in its tables. */
export function published(text: string, results: Results): string {
  return Object.entries(tablesOf(results)).reduce((before, [name, table]) => replaced(before, name, table), text);
}

function tablesOf({ counts, crashes, tabs }: Results): Record<keyof Results, string> {
  return {
    counts: table(
      ["engine", "official kit, passed", "contract, properties, faults, passed", "all, passed", "failed"],
      projects.map((project) => {
        const seen = counts[project];
        return [titles[project], ...(seen === undefined ? ["–", "–", "–", "–"] : [seen.kit, seen.own, seen.kit + seen.own, seen.failed])];
      }),
    ),
    crashes: table(
      ["browser", "killed", "pages loaded anew in mid-run", "pages left and come back to", "checkpoints acknowledged", "lost"],
      engineNames.flatMap((name) => {
        const seen = crashes[name];
        return seen === undefined ? [] : [[seen.engine, seen.kills, seen.reloads, seen.returns, seen.acknowledged, seen.lost]];
      }),
    ),
    tabs: table(
      ["browser", "tabs", "steps of each", "acknowledged, and found as they were written"],
      engineNames.flatMap((name) => {
        const seen = tabs[name];
        return seen === undefined ? [] : [[seen.engine, seen.tabs, seen.steps, seen.acknowledged]];
      }),
    ),
  };
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = (row: readonly (string | number)[]) => `| ${row.map((cell) => (typeof cell === "number" ? cell.toLocaleString("en") : cell)).join(" | ")} |`;
  return [cells(head), `| --- |${" ---: |".repeat(head.length - 1)}`, ...rows.map(cells)].join("\n");
}

function replaced(text: string, name: string, table: string): string {
  const place = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
  if (!place.test(text)) throw new Error(`docs/engines.md has no place for ${name}`);
  return text.replace(place, (_, before: string, after: string) => `${before}${table}\n${after}`);
}
