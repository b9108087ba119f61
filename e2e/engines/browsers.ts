import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromiumArgs, chromiumPath, firefoxPath } from "../../scripts/browsers.mjs";
import { miniBrowser, virtualDisplay } from "../../scripts/minibrowser.mjs";

/** Chromium has two implementations of IndexedDB: over LevelDB, and over SQLite behind a flag. */
export const engineNames = ["chromium", "chromium-sqlite", "firefox", "webkit"] as const;
export type EngineName = (typeof engineNames)[number];

interface Command {
  readonly path: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** A browser that was started by hand: nothing drives it, so that nothing says goodbye when it is killed. Its pages report by themselves. */
export interface Running {
  /** SIGKILL to all its processes at once: nothing is flushed or closed. */
  kill(): Promise<void>;
}

export interface Engine extends AsyncDisposable {
  /** Name and version. */
  readonly title: string;
  /** Opens a page on each address, on a profile that outlives the browser; `isPrivate`: in a window that leaves nothing there. */
  open(profile: string, addresses: readonly string[], options?: { readonly isPrivate: boolean }): Running;
}

/** No page of its own beside ours, no questions, no way home. */
const firefoxPreferences: Readonly<Record<string, unknown>> = {
  "app.update.disabledForTesting": true,
  "browser.aboutwelcome.enabled": false,
  "browser.pagethumbnails.capturing_disabled": true, // It loads pages that are visited often once more, with a storage of their own.
  "browser.sessionstore.resume_from_crash": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "browser.startup.page": 0,
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "toolkit.startup.max_resumed_crashes": -1,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
};

const awake = ["--disable-popup-blocking", "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding"];

/** A headless Chromium takes only one address: of a page that opens the others. */
function opener(addresses: readonly string[]): string {
  const page = new URL("/open", addresses[0]);
  for (const address of addresses) page.searchParams.append("address", address);
  return page.href;
}

function chromium(features: readonly string[], title: string): Engine {
  const path = chromiumPath();
  const version = execFileSync(path, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).split(" ")[1] ?? "";
  return engine(`Chromium ${version}${title}`, (profile, addresses, isPrivate) => {
    for (const lock of ["SingletonLock", "SingletonSocket", "SingletonCookie"]) rmSync(join(profile, lock), { force: true });
    return { path, args: ["--headless", ...chromiumArgs, ...awake, ...features, ...(isPrivate ? ["--incognito"] : []), `--user-data-dir=${profile}`, opener(addresses)], env: process.env };
  });
}

function firefox(): Engine {
  const path = firefoxPath();
  const version = execFileSync(path, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).replace("Mozilla ", "").trim();
  return engine(version, (profile, addresses, isPrivate) => {
    rmSync(join(profile, ".parentlock"), { force: true });
    const lines = Object.entries({ ...firefoxPreferences, "browser.privatebrowsing.autostart": isPrivate }).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);
    writeFileSync(join(profile, "user.js"), lines.join(""));
    return { path, args: ["--headless", "--no-remote", "--profile", profile, ...addresses], env: process.env };
  });
}

async function webkit(): Promise<Engine> {
  const display = await virtualDisplay();
  const command = (home: string, addresses: readonly string[], isPrivate: boolean) => miniBrowser({ home, display: display.name, addresses, isPrivate });
  const { path, env } = command("/", [], false);
  const title = execFileSync(path, ["--version"], { encoding: "utf8", env, stdio: ["ignore", "pipe", "ignore"] }).trim();
  return engine(title, command, display.kill);
}

function engine(title: string, command: (profile: string, addresses: readonly string[], isPrivate: boolean) => Command, end: () => Promise<void> = async () => undefined): Engine {
  return {
    title,
    open(profile, addresses, { isPrivate } = { isPrivate: false }) {
      mkdirSync(profile, { recursive: true });
      const { path, args, env } = command(profile, addresses, isPrivate);
      return running(spawn(path, args, { env, stdio: "ignore", detached: true }));
    },
    [Symbol.asyncDispose]: end,
  };
}

function running(browser: ChildProcess): Running {
  const kill = (): void => {
    try {
      process.kill(-browser.pid!, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  process.once("exit", kill);
  return {
    async kill() {
      process.off("exit", kill);
      const exit = browser.exitCode === null && browser.signalCode === null ? once(browser, "exit") : undefined;
      kill();
      await exit;
    },
  };
}

const engines: Readonly<Record<EngineName, () => Engine | Promise<Engine>>> = {
  chromium: () => chromium([], ", IndexedDB on LevelDB"),
  "chromium-sqlite": () => chromium(["--enable-features=IdbSqliteBackingStore"], ", IndexedDB on SQLite"),
  firefox,
  webkit,
};

export const startEngine = async (name: EngineName): Promise<Engine> => engines[name]();
