import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { chromiumPath } from "../../scripts/browsers.mjs";
import { type ChromiumBrowser, launchChromium } from "./browser.ts";
import { measureTogether, type Measured } from "./measure.ts";
import { frequencyGroup, type Group, saverGroups } from "./plan.ts";
import { environment, type Report } from "./report.ts";
import { serve } from "./serve.ts";
import { type Summary, summarize } from "./summary.ts";
import { storeTable, tables } from "./tables.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const built = path("../../.cache/bench-production");

export interface Options {
  /** 100 turns only. */
  readonly quick: boolean;
  /** Puts the tables into README.md too. */
  readonly readme: boolean;
}

export async function run({ quick, readme }: Options): Promise<void> {
  await build({ configFile: path("../vite.config.ts") });
  const lengths = quick ? [100] : [100, 500];
  const longest = Math.max(...lengths);
  const report = await measureAll(lengths);
  await mkdir(path("../results/"), { recursive: true });
  const results = path(`../results/chromium${quick ? "-quick" : ""}.json`);
  await writeFile(results, `${JSON.stringify(report, rounded, 1)}\n`);
  console.log(`${tables(report)}\n\n${storeTable([...report.savers, ...report.frequencies].filter(({ turns, saver }) => turns === longest && saver !== "inline"))}`);
  if (readme) await publish(tables(report));
}

async function measureAll(lengths: readonly number[]): Promise<Report> {
  await using browser = await launchChromium(chromiumPath());
  const savers: Summary[] = [];
  for (const group of saverGroups(lengths)) savers.push(...(await measureGroup(browser, group)));
  return {
    environment: await environment(`Chromium ${browser.version}`),
    contentBytes: await contentBytes(browser, lengths),
    savers,
    frequencies: await measureGroup(browser, frequencyGroup(Math.max(...lengths))),
  };
}

async function measureGroup(browser: ChromiumBrowser, { cases, repeats }: Group): Promise<Summary[]> {
  const began = performance.now();
  const runs: Measured[][] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const reopen = repeat === repeats - 1;
    runs.push(await measureTogether(browser, built, cases, { reopen }));
  }
  const label = cases.map(({ saver, workload, turns }) => `${saver} ${workload.channel} ${turns}`).join(", ");
  console.error(`${((performance.now() - began) / 1000).toFixed(0)} s: ${label}`);
  return cases.map((_, at) => summarize(runs.flatMap((run) => run.slice(at, at + 1))));
}

async function contentBytes(browser: ChromiumBrowser, lengths: readonly number[]): Promise<Record<number, number>> {
  await using server = await serve(built);
  await using tab = await browser.open(server.origin);
  const sizes: Record<number, number> = {};
  for (const turns of lengths) sizes[turns] = await tab.call("contentBytes", turns);
  return sizes;
}

const rounded = (_key: string, value: unknown): unknown =>
  typeof value === "number" ? Math.round(value * 1000) / 1000 : value;

async function publish(tablesText: string): Promise<void> {
  const readme = path("../../README.md");
  const text = await readFile(readme, "utf8");
  const marked = /(<!-- bench:start -->).*(<!-- bench:end -->)/s;
  if (!marked.test(text)) throw new Error("README.md has no <!-- bench:start --> and <!-- bench:end -->");
  await writeFile(readme, text.replace(marked, (_, start: string, end: string) => `${start}\n\n${tablesText}\n\n${end}`));
}
