import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Counts, Project } from "./results.ts";

/** Counts the tests of a project, without running them. */
export async function countTests(project: Project): Promise<Counts> {
  const { stdout } = await promisify(execFile)("npx", ["vitest", "list", "--project", project, "--json"], { maxBuffer: 100_000_000 });
  const found = JSON.parse(stdout.slice(stdout.indexOf("[\n"))) as { readonly file: string }[];
  const kit = found.filter(({ file }) => file.endsWith("kit.test.ts")).length;
  return { kit, own: found.length - kit };
}
