import { fileURLToPath } from "node:url";
import { build } from "vite";
import { measurements } from "../measurements/index.ts";
import type { Browser, EngineName } from "./browser.ts";
import { boundOf, isKept, valueOf } from "./claim.ts";
import { engines } from "./engines.ts";
import { environment } from "./environment.ts";
import type { Measurement, Site } from "./measurement.ts";
import { publish } from "./publish.ts";
import { readResults, writeResults } from "./results.ts";
import { table } from "./table.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const built = path("../../.cache/bench-production");

export interface Options {
  readonly engines: readonly string[];
  /** The names of the measurements to run; empty for all. */
  readonly only: readonly string[];
  /** What disk, writing and reading are measured with; empty for all, else nothing is kept. */
  readonly subjects: readonly string[];
  /** A tenth of the work, to see that all runs; nothing is kept. */
  readonly quick: boolean;
  /** Puts the tables into README.md and bench/README.md too. */
  readonly readme: boolean;
}

export async function run({ engines: wanted, only, subjects, quick, readme }: Options): Promise<void> {
  const chosen = wanted.map((name) => known(name, Object.keys(engines) as EngineName[], "engine"));
  const names = measurements.map(({ name }) => name);
  const selected = new Set(only.length === 0 ? names : only.map((name) => known(name, names, "measurement")));
  await build({ configFile: path("../vite.config.ts") });
  for (const engine of chosen) await runEngine(engine, { selected, quick, subjects: new Set(subjects) });
  if (readme) await publish();
}

function known<Name extends string>(name: string, names: readonly Name[], what: string): Name {
  const found = names.find((each) => each === name);
  if (found === undefined) throw new Error(`no ${what} is called ${name}: there are ${names.join(", ")}`);
  return found;
}

async function runEngine(engine: EngineName, chosen: Omit<Site, "browser" | "folder">): Promise<void> {
  const launched = await engines[engine]().catch((error: unknown) => String(error));
  if (typeof launched === "string") {
    console.log(`## ${engine}: not measured on this machine\n\n${launched}\n`);
    process.exitCode = 1;
    return;
  }
  await using browser = launched;
  const site: Site = { browser, folder: built, ...chosen };
  for (const measurement of measurements.filter(({ name }) => chosen.selected.has(name))) {
    const began = performance.now();
    try {
      const seen = await measurement.measure(site);
      print(measurement, seen, browser);
      if (!chosen.quick && chosen.subjects.size === 0) await keep(browser, measurement.name, seen);
    } catch (error) {
      console.error(`${engine}, ${measurement.name} failed:`, error); // whole: where two fail, the message of what is thrown is empty
      process.exitCode = 1;
    }
    console.error(`${engine}, ${measurement.name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
}

async function keep({ engine, title }: Browser, name: string, seen: unknown): Promise<void> {
  const before = await readResults(engine);
  const measured = { ...before?.measured, [name]: { date: new Date().toISOString(), seen } };
  await writeResults(engine, { environment: await environment(title), measured });
}

function print(measurement: Measurement, seen: unknown, { title }: Browser): void {
  const claims = measurement.claims(seen);
  const kept = table(
    ["what", "measured", "goal", ""],
    claims.map((claim) => [claim.what, valueOf(claim), boundOf(claim), claim.value === undefined ? "" : isKept(claim) ? "kept" : "**not kept**"]),
  );
  console.log([`## ${measurement.title}, ${title}`, ...(claims.length === 0 ? [] : [kept]), ...measurement.tables(seen)].join("\n\n"), "\n");
}
