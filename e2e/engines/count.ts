import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Counts, Project } from "./results.ts";

/** What vitest reports of each file; of one that could not be loaded no test. */
interface Report {
  readonly testResults: readonly { readonly name: string; readonly status: string; readonly assertionResults: readonly { readonly status: string }[] }[];
}

/** Counts the tests that passed in a run of a project, whose report `npm test` left in a folder; else runs all of them. */
export async function countTests(project: Project, reports: string | undefined): Promise<Counts> {
  if (reports !== undefined) return counted(JSON.parse(await readFile(join(reports, `test-${project}.json`), "utf8")) as Report);
  const folder = await mkdtemp(join(tmpdir(), "counts-"));
  const file = join(folder, "report.json");
  try {
    const running = spawn("npx", ["vitest", "run", "--project", project, "--reporter=default", "--reporter=json", `--outputFile.json=${file}`], { stdio: "inherit" });
    await once(running, "exit");
    return counted(JSON.parse(await readFile(file, "utf8")) as Report);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function counted({ testResults }: Report): Counts {
  const counts = { kit: 0, own: 0, failed: 0 };
  for (const { name, status, assertionResults } of testResults) {
    if (!name.endsWith(".test.ts")) continue; // What is of no engine.
    const failures = assertionResults.filter((result) => result.status === "failed").length;
    counts.failed += failures === 0 && status === "failed" ? 1 : failures;
    counts[name.endsWith("kit.test.ts") ? "kit" : "own"] += assertionResults.filter((result) => result.status === "passed").length;
  }
  return counts;
}
