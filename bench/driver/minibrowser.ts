import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Browser, callsOf } from "./browser.ts";
import type { PageLine } from "./page-line.ts";
import type { Server } from "./serve.ts";

const places = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/libexec", "/usr/lib"];
const versions = ["webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0"];

/** The browser that comes with WebKitGTK: MINIBROWSER_PATH, or where a distribution puts it. */
function miniBrowserPath(): string {
  const chosen = process.env["MINIBROWSER_PATH"];
  const candidates = chosen === undefined ? places.flatMap((place) => versions.map((version) => join(place, version, "MiniBrowser"))) : [chosen];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error("no WebKit: MINIBROWSER_PATH is not set and there is no MiniBrowser (Debian: apt-get install webkit2gtk-driver xvfb)");
  return found;
}

/**
 * WebKitGTK on a display of its own. Under WebDriver its storage is in memory, so no WebDriver: a browser and a home per origin, one
 * window, which waits on an idle page of the origin between two pages under measurement.
 */
export async function launchWebKit(): Promise<Browser> {
  const executable = miniBrowserPath();
  const { display, stop } = await virtualDisplay();
  const environment = { ...process.env, DISPLAY: display, GDK_BACKEND: "x11" };
  const title = execFileSync(executable, ["--version"], { encoding: "utf8", env: environment, stdio: ["ignore", "pipe", "ignore"] }).trim();
  const windows = new Map<Server, Promise<Window>>();

  async function openWindow(server: Server): Promise<Window> {
    const home = await mkdtemp(join(tmpdir(), "bench-home-"));
    const { address, line } = server.page("idle.html", "shared");
    const env = { ...environment, HOME: home, XDG_DATA_HOME: join(home, "data"), XDG_CACHE_HOME: join(home, "cache"), XDG_CONFIG_HOME: join(home, "config") };
    const process = spawn(executable, ["--geometry=900x700", address], { env, stdio: "ignore" });
    server.beforeClose(() => closeWindow(server));
    await line.loaded();
    return { process, home, idle: line };
  }

  async function closeWindow(server: Server): Promise<void> {
    const opening = windows.get(server);
    if (opening === undefined) return;
    windows.delete(server);
    const { process, home } = await opening;
    await ended(process);
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  return {
    engine: "webkit",
    title,
    async open(server) {
      const opening = windows.get(server) ?? openWindow(server);
      windows.set(server, opening);
      const window = await opening;
      const { address, line } = server.page("index.html", "shared");
      window.idle.goTo(address);
      await line.loaded();
      return {
        call: callsOf(line),
        async [Symbol.asyncDispose]() {
          const idle = server.page("idle.html", "shared");
          line.goTo(idle.address);
          await idle.line.loaded();
          window.idle = idle.line;
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const server of windows.keys()) await closeWindow(server);
      await stop();
    },
  };
}

interface Window {
  readonly process: ChildProcess;
  readonly home: string;
  idle: PageLine;
}

async function virtualDisplay(): Promise<{ display: string; stop(): Promise<void> }> {
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const failed = new Promise<never>((_, reject) => server.once("error", (cause) => reject(new Error("Xvfb does not start", { cause }))));
  const [, , , numbers] = server.stdio;
  if (numbers === null || numbers === undefined || !("read" in numbers)) throw new Error("Xvfb has no pipe for its display");
  const number = new Promise<string>((resolve) => createInterface(numbers).once("line", resolve));
  return { display: `:${await Promise.race([number, failed])}`, stop: () => ended(server) };
}

async function ended(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null) return;
  const exit = new Promise<void>((resolve) => process.once("exit", () => resolve()));
  process.kill("SIGKILL");
  await exit;
}
