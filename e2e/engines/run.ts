import { type EngineName, engineNames } from "./browsers.ts";
import { countTests } from "./count.ts";
import { crashes } from "./crashes.ts";
import { publish } from "./publish.ts";
import { keep, type Project, projects } from "./results.ts";
import { tabs } from "./tabs.ts";

interface Options {
  readonly suite: string | undefined;
  /** Empty for all. */
  readonly engines: readonly string[];
  readonly rounds: number;
  readonly tabs: number;
  readonly steps: number;
  /** Of tests that were run already. */
  readonly reports: string | undefined;
}

/** Runs a suite at full size, or all tests, one engine after another, and puts what was seen into the guides. */
export async function run({ suite, engines, reports, ...size }: Options): Promise<void> {
  const chosen = <Name extends string>(names: readonly Name[]) => (engines.length === 0 ? names : engines.map((name) => known(name, names)));
  if (suite === "crashes") for (const name of chosen(engineNames)) await runCrashes(name, size.rounds);
  else if (suite === "tabs") for (const name of chosen(engineNames)) await keep("tabs", name, shown(await tabs(name, size)));
  else if (suite === "counts") for (const name of chosen(projects)) await runTests(name, reports);
  else throw new Error(`no suite is called ${String(suite)}: there are crashes, tabs and counts`);
  await publish();
}

/** A run that is broken off has shown something too. */
async function runCrashes(name: EngineName, rounds: number): Promise<void> {
  const seen = await crashes(name, {
    rounds,
    async progress(soFar) {
      console.log(`${name}: killed ${soFar.kills} times, ${soFar.acknowledged} checkpoints acknowledged, ${soFar.lost} lost`);
      await keep("crashes", name, soFar);
    },
  });
  await keep("crashes", name, shown(seen));
  if (seen.lost > 0) process.exitCode = 1;
}

async function runTests(name: Project, reports: string | undefined): Promise<void> {
  const seen = await countTests(name, reports);
  await keep("counts", name, shown(seen));
  if (seen.failed > 0) process.exitCode = 1;
}

function shown<T>(seen: T): T {
  console.log(seen);
  return seen;
}

function known<Name extends string>(name: string, names: readonly Name[]): Name {
  const found = names.find((each) => each === name);
  if (found === undefined) throw new Error(`no engine is called ${name}: there are ${names.join(", ")}`);
  return found;
}
