import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, firefox, type Page } from "playwright";
import { chromiumArgs, chromiumPath, firefoxPath } from "../../scripts/browsers.mjs";
import { type Browser, callsOf, type Tab } from "./browser.ts";
import type { Server } from "./serve.ts";

export interface PlaywrightBrowser extends Browser {
  open(server: Server): Promise<Tab & { readonly page: Page }>;
}

export async function launchChromium(): Promise<PlaywrightBrowser> {
  const executablePath = chromiumPath();
  return opened("chromium", (profile) => chromium.launchPersistentContext(profile, { executablePath, args: chromiumArgs }));
}

export async function launchFirefox(): Promise<PlaywrightBrowser> {
  const executablePath = firefoxPath();
  return opened("firefox", (profile) => firefox.launchPersistentContext(profile, { executablePath, channel: "moz-firefox" }));
}

async function opened(engine: "chromium" | "firefox", launch: (profile: string) => Promise<BrowserContext>): Promise<PlaywrightBrowser> {
  const profile = await mkdtemp(join(tmpdir(), "bench-profile-"));
  const context = await launch(profile);
  return {
    engine,
    title: `${engine === "chromium" ? "Chromium" : "Firefox"} ${context.browser()?.version() ?? "of an unknown version"}`,
    async open(server) {
      const [page, { address, line }] = [await context.newPage(), server.page("index.html", "own")];
      await page.goto(address);
      await line.loaded();
      return { page, call: callsOf(line), [Symbol.asyncDispose]: () => page.close() };
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
