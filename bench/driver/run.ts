import { fileURLToPath } from "node:url";
import { build } from "vite";
import { measurements } from "../measurements/index.ts";
import type { Browser, EngineName } from "./browser.ts";
import { boundOf, isKept, valueOf } from "./claim.ts";
import { engines } from "./engines.ts";
import { environment } from "./environment.ts";
import type { Measurement, Site } from "./measurement.ts";
import { readResults, writeResults } from "./results.ts";
import { table } from "./table.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const built = path("../../.cache/bench-production");

export interface Options {
  readonly engines: readonly EngineName[];
  /** The names of the measurements to run; empty for all. */
  readonly only: readonly string[];
  /** A tenth of the work, to see that all runs; nothing is kept. */
  readonly quick: boolean;
  /** Puts the tables into README.md and bench/README.md too. */
  readonly readme: boolean;
}

export async function run({ engines: wanted, only, quick }: Options): Promise<void> {
  const unknown = only.find((name) => !measurements.some((each) => each.name === name));
  if (unknown !== undefined) throw new Error(`no measurement is called ${unknown}; there are ${measurements.map(({ name }) => name).join(", ")}`);
  const selected = measurements.filter(({ name }) => only.length === 0 || only.includes(name));
  await build({ configFile: path("../vite.config.ts") });
  for (const engine of wanted) {
    await using browser = await engines[engine]();
    const fresh: Record<string, { date: string; seen: unknown }> = {};
    const site: Site = { browser, folder: built, quick, selected: new Set(selected.map(({ name }) => name)) };
    for (const measurement of selected) {
      const seen = await measured(measurement, site);
      fresh[measurement.name] = { date: new Date().toISOString(), seen };
      print(measurement, seen, browser);
    }
    if (quick) continue;
    const before = await readResults(engine);
    await writeResults(engine, { environment: await environment(browser.title), measured: { ...before?.measured, ...fresh } });
  }
}

async function measured(measurement: Measurement, site: Site): Promise<unknown> {
  const began = performance.now();
  const seen = await measurement.measure(site);
  console.error(`${site.browser.engine}, ${measurement.name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return seen;
}

function print(measurement: Measurement, seen: unknown, { title }: Browser): void {
  const claims = measurement.claims(seen);
  const kept = table(["what", "measured", "must be", ""], claims.map((claim) => [claim.what, valueOf(claim), boundOf(claim), isKept(claim) ? "kept" : "**not kept**"]));
  console.log([`## ${measurement.title}, ${title}`, ...(claims.length === 0 ? [] : [kept]), ...measurement.tables(seen)].join("\n\n"), "\n");
}
