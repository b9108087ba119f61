import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { engineNames } from "./browsers.ts";
import { projects, readResults, type Project, type Results } from "./results.ts";

/** Which guide has which table. */
export const places: Readonly<Record<keyof Results, string>> = { counts: "reliability.md", crashes: "engines.md", tabs: "engines.md" };

const titles: Readonly<Record<Project, string>> = {
  node: "fake-indexeddb, in Node",
  chromium: "Chromium",
  firefox: "Firefox",
  webkit: "WebKitGTK",
};

/** Puts what was seen into the tables of the guides. */
export async function publish(): Promise<void> {
  const results = await readResults();
  for (const name of new Set(Object.values(places))) {
    const guide = fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
    await writeFile(guide, published(name, await readFile(guide, "utf8"), results));
  }
}

/** The text of a guide with what was seen in its tables. */
export function published(guide: string, text: string, results: Results): string {
  const tables = Object.entries(tablesOf(results)).filter(([name]) => places[name as keyof Results] === guide);
  return tables.reduce((before, [name, table]) => replaced(before, name, table), text);
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
  if (!place.test(text)) throw new Error(`the guide has no place for ${name}`);
  return text.replace(place, (_, before: string, after: string) => `${before}${table}\n${after}`);
}
