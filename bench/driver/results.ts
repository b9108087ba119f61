import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { EngineName } from "./browser.ts";
import type { Environment } from "./environment.ts";

/** What was measured in one engine. A run of some measurements leaves the others as they were, each with its own date. */
export interface Results {
  readonly environment: Environment;
  readonly measured: Readonly<Record<string, { readonly date: string; readonly seen: unknown }>>;
}

const place = (engine: EngineName) => fileURLToPath(new URL(`../results/${engine}.json`, import.meta.url));

export async function readResults(engine: EngineName): Promise<Results | undefined> {
  const text = await readFile(place(engine), "utf8").catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

export async function writeResults(engine: EngineName, results: Results): Promise<void> {
  await mkdir(new URL("../results/", import.meta.url), { recursive: true });
  await writeFile(place(engine), `${JSON.stringify(results, rounded, 1)}\n`);
}

const rounded = (_key: string, value: unknown): unknown => (typeof value === "number" ? Math.round(value * 1000) / 1000 : value);
