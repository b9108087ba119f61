// Makes sure that there are the browsers to test in: `node scripts/setup.mjs [--chromium] [--firefox] [--webkit]`, all by default.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { browserVariable, findBrowser } from "./browsers.mjs";

/** @typedef {import("./browsers.mjs").BrowserName} BrowserName */

const minutes = 60_000;
const debianPackages = { chromium: ["chromium"], firefox: ["firefox-esr"], webkit: ["webkit2gtk-driver", "xvfb"] };
const playwrightCli = join(dirname(createRequire(import.meta.url).resolve("playwright/package.json")), "cli.js");

/**
 * Runs a command with a time limit; the reason it failed, or undefined.
 * @param {string} command
 * @param {string[]} args
 * @param {number} limit
 */
function failure(command, args, limit) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "15000" };
  const { error, status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", timeout: limit, env });
  if (!error && status === 0) return undefined;
  const lines = `${stderr ?? ""}\n${stdout ?? ""}`.split("\n").filter((line) => /error|fail|unable|^E:/i.test(line));
  return error?.message ?? lines[0]?.trim() ?? `exit code ${status}`;
}

/** @param {BrowserName} browser */
function download(browser) {
  if (browser === "webkit") return "its WebKit is not WebKitGTK's MiniBrowser";
  return failure(process.execPath, [playwrightCli, "install", browser], 10 * minutes);
}

/** @param {BrowserName} browser */
function install(browser) {
  if (process.platform !== "linux") return "not a Debian or Ubuntu system";
  if (process.getuid?.() !== 0) return "needs root";
  return (
    failure("apt-get", ["update"], 5 * minutes) ??
    failure("apt-get", ["install", "-y", "--no-install-recommends", ...debianPackages[browser]], 10 * minutes)
  );
}

/** @param {BrowserName} browser */
function provide(browser) {
  const tried = [];
  let found = findBrowser(browser);
  for (const [name, attempt] of /** @type {const} */ ([
    [`Playwright's download of ${browser}`, download],
    [`apt-get install ${debianPackages[browser].join(" ")}`, install],
  ])) {
    if (found) break;
    console.log(`No ${browser} yet, trying: ${name}`);
    tried.push(`${name}: ${attempt(browser) ?? "installed, but it does not start"}`);
    found = findBrowser(browser);
  }
  if (found) return found;
  throw new Error(
    `No ${browser} to test in, and the tests do not run without one.\nTried:\n  ${tried.join("\n  ")}\n` +
      `Install ${browser} and put it on the PATH, or name it in ${browserVariable(browser)}.`,
  );
}

const all = /** @type {const} */ (["chromium", "firefox", "webkit"]);
const asked = all.filter((name) => process.argv.includes(`--${name}`));
try {
  for (const browser of asked.length > 0 ? asked : all) {
    console.log(`${browser}: ${provide(browser)}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
