import { type EngineName, engineNames } from "./browsers.ts";
import { crashes } from "./crashes.ts";
import { keep } from "./results.ts";
import { tabs } from "./tabs.ts";

interface Options {
  readonly suite: string | undefined;
  /** Empty for all. */
  readonly engines: readonly string[];
  readonly rounds: number;
  readonly tabs: number;
  readonly steps: number;
}

/** Runs a suite at full size, one engine after another, and keeps what was seen. */
export async function run({ suite, engines, rounds, tabs: count, steps }: Options): Promise<void> {
  for (const name of engines.length === 0 ? engineNames : engines.map(known)) {
    if (suite === "crashes") {
      const seen = await crashes(name, { rounds, progress: (round, acknowledged) => console.log(`${name}: killed ${round} times, ${acknowledged} checkpoints acknowledged`) });
      console.log(seen);
      await keep("crashes", name, seen);
      if (seen.lost > 0) process.exitCode = 1;
    } else if (suite === "tabs") {
      const seen = await tabs(name, { tabs: count, steps });
      console.log(seen);
      await keep("tabs", name, seen);
    } else throw new Error(`no suite is called ${String(suite)}: there are crashes and tabs`);
  }
}

function known(name: string): EngineName {
  const found = engineNames.find((each) => each === name);
  if (found === undefined) throw new Error(`no engine is called ${name}: there are ${engineNames.join(", ")}`);
  return found;
}
