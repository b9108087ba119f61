import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { EngineName } from "./browsers.ts";
import type { Crashes } from "./crashes.ts";
import type { Tabs } from "./tabs.ts";

/** How many tests of the official kit passed in an engine, and how many of the project's own. */
export interface Counts {
  readonly kit: number;
  readonly own: number;
  readonly failed: number;
}

export const projects = ["node", "chromium", "firefox", "webkit"] as const;
export type Project = (typeof projects)[number];

/** What was seen last, by engine. */
export interface Results {
  readonly counts: Partial<Record<Project, Counts>>;
  readonly crashes: Partial<Record<EngineName, Crashes>>;
  readonly tabs: Partial<Record<EngineName, Tabs>>;
}

const file = fileURLToPath(new URL("results.json", import.meta.url));

export async function readResults(): Promise<Results> {
  return JSON.parse(await readFile(file, "utf8")) as Results;
}

/** Keeps what was seen of one engine in place of what was known of it. */
export async function keep<Suite extends keyof Results>(suite: Suite, engine: keyof Results[Suite], seen: Results[Suite][keyof Results[Suite]]): Promise<void> {
  const before = await readResults();
  const after: Results = { ...before, [suite]: { ...before[suite], [engine]: seen } };
  await writeFile(file, `${JSON.stringify(after, null, 2)}\n`);
}
