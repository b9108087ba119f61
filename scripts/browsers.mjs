// Finds a browser for the tests, in this order: environment variable, PATH, one that Playwright manages, the
// distribution's package. A candidate counts only when it starts, since some distributions ship a stub of that name.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, firefox } from "playwright";

/** @typedef {"chromium" | "firefox" | "webkit"} BrowserName */

/** Where distributions put WebKitGTK's MiniBrowser, which is on no PATH. */
const webkitFolders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/libexec", "/usr/lib64", "/usr/lib"].flatMap((folder) =>
  ["webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0"].map((version) => join(folder, version)),
);

/** @type {Record<BrowserName, { managed?: { executablePath(): string }, variable: string, commands: string[], packaged: string[] }>} */
const known = {
  chromium: {
    managed: chromium,
    variable: "CHROMIUM_PATH",
    commands: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    packaged: [
      "/usr/bin/chromium",
      "/usr/lib/chromium/chromium",
      "/opt/google/chrome/chrome",
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ],
  },
  firefox: {
    managed: firefox,
    variable: "FIREFOX_PATH",
    commands: ["firefox-esr", "firefox"],
    packaged: ["/usr/bin/firefox-esr", "/usr/lib/firefox-esr/firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"],
  },
  webkit: {
    variable: "MINIBROWSER_PATH",
    commands: ["MiniBrowser"],
    packaged: webkitFolders.map((folder) => join(folder, "MiniBrowser")),
  },
};

/** What headless Chromium needs in a container, and nothing that calls home. */
export const chromiumArgs = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];

/** @param {string[]} commands */
function onPath(commands) {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  const suffix = process.platform === "win32" ? ".exe" : "";
  return commands.flatMap((command) => folders.map((folder) => join(folder, command + suffix)));
}

/** @param {string} path */
function starts(path) {
  if (!existsSync(path)) return false;
  if (process.platform === "win32") return true; // chrome.exe --version opens a window
  if (path.endsWith("MiniBrowser")) return onPath(["Xvfb"]).some(existsSync); // asks for a display even for its version
  try {
    execFileSync(path, ["--version"], { stdio: "ignore", timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

/** The environment variable that names a browser's path. @param {BrowserName} browser */
export const browserVariable = (browser) => known[browser].variable;

/**
 * The path of an installed browser, or undefined.
 * @param {BrowserName} browser
 * @throws when the environment variable names a browser that does not start
 */
export function findBrowser(browser) {
  const { managed, variable, commands, packaged } = known[browser];
  const chosen = process.env[variable];
  if (chosen) {
    if (starts(chosen)) return chosen;
    throw new Error(`${variable} is ${chosen}, which is not there or does not start. Correct it or unset it.`);
  }
  return [...onPath(commands), ...(managed ? [managed.executablePath()] : []), ...packaged].find(starts);
}

/** @param {BrowserName} browser */
function browserPath(browser) {
  const path = findBrowser(browser);
  if (path) return path;
  const { variable, commands } = known[browser];
  throw new Error(
    `No ${browser} found: ${variable} is not set, none of ${commands.join(", ")} is on the PATH, and neither Playwright ` +
      `nor the distribution has installed one. Run "node scripts/setup.mjs --${browser}", or set ${variable}.`,
  );
}

/** The path of a Chromium that starts. @throws when there is none */
export const chromiumPath = () => browserPath("chromium");

/** The path of a Firefox that starts. @throws when there is none */
export const firefoxPath = () => browserPath("firefox");

/** The path of a MiniBrowser (WebKitGTK) that starts. @throws when there is none */
export const webkitPath = () => browserPath("webkit");
