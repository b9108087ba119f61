// Everything that must hold, in order: `npm test [-- --keep-going]`. Stops at the first failure unless told to keep going. `--reports FOLDER`
// keeps what the test runners report, for `npm run counts`.
// The last line is "N passed, M failed": the counts that the test runners report, and a failed step without a failed test as one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {(report: string) => { args: string[], env?: Record<string, string> }} Reporter */

/** @type {Reporter} */
const vitest = (report) => ({ args: ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`] });

/** @type {Reporter} */
const playwright = (report) => ({ args: ["--reporter=list,json"], env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } });

/** @typedef {{ title: string, script: string, reporter?: Reporter }} Step */

/** @type {Step[][]} The npm script of each step, and its runner's reporter. Steps of one line run at the same time. */
const stages = [
  [{ title: "Browsers to test in", script: "setup" }],
  [{ title: "Build", script: "build" }],
  [
    { title: "Types", script: "typecheck" },
    { title: "Lint", script: "lint" },
    { title: "Layers", script: "layers" },
    { title: "Unused code and dependencies", script: "unused" },
  ],
  [
    { title: "Tests in Node", script: "test:node", reporter: vitest },
    { title: "Tests in Chromium", script: "test:chromium", reporter: vitest },
  ],
  [
    { title: "Tests in Firefox", script: "test:firefox", reporter: vitest },
    { title: "Tests in WebKit", script: "test:webkit", reporter: vitest },
  ],
  [
    { title: "Killed browsers and several tabs", script: "test:engines", reporter: playwright },
    { title: "The packed package and its consumers", script: "test:consumer", reporter: playwright },
  ],
  [{ title: "The demo, end to end", script: "test:e2e", reporter: playwright }],
];

/**
 * Runs an npm script; true when it succeeds.
 * @param {string} script
 * @param {ReturnType<Reporter>} [reporter]
 */
async function succeeds(script, { args, env } = { args: [] }) {
  const child = spawn("npm", ["run", "--silent", script, "--", ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  });
  const [code] = await once(child, "exit");
  return code === 0;
}

/**
 * The counts in the JSON report of vitest or Playwright; none when the runner did not get as far as a report.
 * @param {string} report
 * @returns {Counts | undefined}
 */
function counts(report) {
  if (!existsSync(report)) return undefined;
  const { stats, ...totals } = JSON.parse(readFileSync(report, "utf8"));
  if (stats) return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = totals;
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
}

const { values: options } = parseArgs({ options: { "keep-going": { type: "boolean", default: false }, reports: { type: "string" } } });
const reports = options.reports ?? mkdtempSync(join(tmpdir(), "test-reports-"));
const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} */
const summary = [];

/**
 * Runs a step and counts what it reports; true when all is good.
 * @param {Step} step
 */
async function run({ title, script, reporter }) {
  console.log(`\n── ${title} (npm run ${script})`);
  const report = join(reports, `${script.replace(":", "-")}.json`);
  const started = performance.now();
  const succeeded = await succeeds(script, reporter?.(report));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);

  const found = counts(report);
  const good = succeeded && (!reporter || found?.failed === 0);
  total.passed += found?.passed ?? 0;
  total.failed += found?.failed || (good ? 0 : 1);
  total.skipped += found?.skipped ?? 0;

  const outcome = found ? `${found.passed} passed, ${found.failed} failed, ${found.skipped} skipped` : good ? "passed" : "failed";
  const line = `${good ? "✓" : "✗"} ${title}: ${outcome} (${seconds} s)`;
  summary.push(line);
  console.log(line);
  return good;
}

for (const stage of stages) {
  const good = await Promise.all(stage.map(run));
  if (good.includes(false) && !options["keep-going"]) break;
}

if (options.reports === undefined) rmSync(reports, { recursive: true });
console.log(`\n${summary.join("\n")}`);
const left = stages.flat().length - summary.length;
if (left > 0) console.log(`Stopped at the first failure: ${left} steps did not run`);
if (total.skipped > 0) console.log(`${total.skipped} skipped`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;
