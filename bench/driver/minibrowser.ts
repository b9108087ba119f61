import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { miniBrowser, openMiniBrowser, virtualDisplay } from "../../scripts/minibrowser.mjs";
import { type Browser, callsOf } from "./browser.ts";
import type { PageLine } from "./page-line.ts";
import type { Server } from "./serve.ts";

/**
 * WebKitGTK on a display of its own. Under WebDriver its storage is in memory, so no WebDriver: a browser and a home per origin, one
 * window, which waits on an idle page of the origin between two pages under measurement.
 */
export async function launchWebKit(): Promise<Browser> {
  const display = await virtualDisplay();
  const { path, env } = miniBrowser({ home: "/", display: display.name, addresses: [] });
  const title = execFileSync(path, ["--version"], { encoding: "utf8", env, stdio: ["ignore", "pipe", "ignore"] }).trim();
  const windows = new Map<Server, Promise<Window>>();

  async function openWindow(server: Server): Promise<Window> {
    const home = await mkdtemp(join(tmpdir(), "bench-home-"));
    const { address, line } = server.page("idle.html", "shared");
    const browser = openMiniBrowser({ address, home, display: display.name });
    server.beforeClose(() => closeWindow(server));
    await line.loaded();
    return { browser, home, idle: line };
  }

  async function closeWindow(server: Server): Promise<void> {
    const opening = windows.get(server);
    if (opening === undefined) return;
    windows.delete(server);
    const { browser, home } = await opening;
    await browser.kill();
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
      await display.kill();
    },
  };
}

interface Window {
  readonly browser: ReturnType<typeof openMiniBrowser>;
  readonly home: string;
  idle: PageLine;
}
