import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { EngineName } from "./browsers.ts";
import type { Crashes } from "./crashes.ts";
import type { Tabs } from "./tabs.ts";

/** What was seen last, by suite and engine. */
export interface Results {
  readonly crashes: Partial<Record<EngineName, Crashes>>;
  readonly tabs: Partial<Record<EngineName, Tabs>>;
}

const file = fileURLToPath(new URL("results.json", import.meta.url));

export async function readResults(): Promise<Results> {
  return JSON.parse(await readFile(file, "utf8")) as Results;
}

export async function keep<Suite extends keyof Results>(suite: Suite, engine: EngineName, seen: Results[Suite][EngineName]): Promise<void> {
  const before = await readResults();
  const after: Results = { ...before, [suite]: { ...before[suite], [engine]: seen } };
  await writeFile(file, `${JSON.stringify(after, null, 2)}\n`);
}
