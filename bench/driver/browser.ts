import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright";
import type { Bench } from "../page/bench.ts";

type Method = { [Name in keyof Bench]: Bench[Name] extends (...args: never[]) => unknown ? Name : never }[keyof Bench];

/** A page under measurement: calls the methods of its `window.bench`. */
export interface Tab extends AsyncDisposable {
  call<Name extends Method>(method: Name, ...args: Parameters<Bench[Name]>): Promise<Awaited<ReturnType<Bench[Name]>>>;
}

/** A browser with a profile on disk that is thrown away at the end. */
export interface Browser extends AsyncDisposable {
  readonly version: string;
  open(origin: string): Promise<Tab>;
}

export interface ChromiumBrowser extends Browser {
  open(origin: string): Promise<Tab & { readonly page: Page }>;
  readonly context: BrowserContext;
}

export async function launchChromium(executablePath: string): Promise<ChromiumBrowser> {
  const profile = await mkdtemp(join(tmpdir(), "bench-profile-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
  });
  return {
    context,
    version: context.browser()?.version() ?? "unknown",
    async open(origin) {
      const page = await context.newPage();
      const failed = new Promise<never>((_, reject) => page.once("pageerror", reject));
      failed.catch(() => undefined);
      await Promise.race([page.goto(origin), failed]);
      return {
        page,
        // Naming the method and its arguments is all that a WebDriver could do as well.
        call: (method, ...args) =>
          page.evaluate(
            ([name, values]) => (window.bench[name] as (...values: unknown[]) => never)(...values),
            [method, args] as const,
          ),
        [Symbol.asyncDispose]: () => page.close(),
      };
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
