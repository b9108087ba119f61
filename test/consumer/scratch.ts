import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));

function installed(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: install.ts sets it, so run with test/consumer/playwright.config.ts`);
  return value;
}

/** The folder of the scratch application that has the tarball installed. */
export const scratch = installed("CONSUMER_SCRATCH");
export const tarball = installed("CONSUMER_TARBALL");

/** Runs a development tool of the repository and returns what it printed; throws that when it fails. */
export function run(tool: string, args: string[], cwd = repository): string {
  const bin = fileURLToPath(new URL(`../../node_modules/.bin/${tool}`, import.meta.url));
  const { status, error, stdout, stderr } = spawnSync(bin, args, { cwd, encoding: "utf8", shell: process.platform === "win32" });
  if (error || status !== 0) throw new Error(`${tool} ${args.join(" ")}\n${stdout}${stderr}`, { cause: error });
  return stdout;
}
