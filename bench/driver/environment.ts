import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { arch, cpus, platform, release } from "node:os";

export interface Environment {
  readonly cpu: string;
  readonly cores: number;
  readonly os: string;
  readonly node: string;
  readonly browser: string;
  /** `name version`, of every package that has a part in the numbers. */
  readonly packages: readonly string[];
}

const parties = [
  "@langchain/langgraph",
  "@langchain/langgraph-checkpoint",
  "@langchain/core",
  "idb",
  "msgpackr",
  "comlink",
  "idb-keyval",
  "@sqlite.org/sqlite-wasm",
];

export async function environment(browser: string): Promise<Environment> {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? "unknown processor",
    cores: processors.length,
    os: `${platform()} ${arch()} ${release()}`,
    node: process.version,
    browser,
    packages: await Promise.all(parties.map(async (name) => `${name} ${await versionOf(name)}`)),
  };
}

async function versionOf(name: string): Promise<string> {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const folder of folders) {
    const manifest = await readFile(`${folder}/${name}/package.json`, "utf8").catch(() => undefined);
    if (manifest === undefined) continue;
    const { version }: { version: string } = JSON.parse(manifest);
    return version;
  }
  return "unknown";
}
