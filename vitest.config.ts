import { playwright } from "@vitest/browser-playwright";
import { build } from "esbuild";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import type { BrowserProviderOption } from "vitest/node";
import { type BrowserName, chromiumArgs, chromiumPath, firefoxPath } from "./scripts/browsers.mjs";
import { webkit } from "./scripts/vitest-webkit.mjs";

// A browser is looked for when its project runs.
const providers: Record<BrowserName, BrowserProviderOption> = {
  chromium: playwright({
    launchOptions: {
      get executablePath() {
        return chromiumPath();
      },
      args: chromiumArgs,
    },
  }),
  firefox: playwright({
    launchOptions: {
      get executablePath() {
        return firefoxPath();
      },
      channel: "moz-firefox",
    },
  }),
  webkit: webkit(),
};

/** A worker in one file: to ask for sixty modules at each start takes longer than most tests, above all in Firefox. */
const bundledWorkers: Plugin = {
  name: "bundled-workers",
  enforce: "pre",
  async load(id) {
    const [file = "", query = ""] = id.split("?");
    if (!/\bworker_file\b/.test(query)) return null;
    // The package says that its modules have no effect of their own; some are imported here for theirs.
    const { outputFiles } = await build({ entryPoints: [file], bundle: true, format: "esm", target: "es2022", write: false, ignoreAnnotations: true });
    return outputFiles[0]?.text ?? null;
  },
};

/** Fails each transaction of a thread in turn: what that shows depends on no engine, and takes minutes where a step is slow. There, browsers are killed instead. */
const SLOW = "test/crashes.test.ts";

const inBrowser = (browser: BrowserName) => ({
  extends: true as const,
  oxc: { target: "es2022" }, // WebKit does not know `using` yet
  plugins: [bundledWorkers],
  // A dependency that is found late reloads the page in the middle of a test.
  optimizeDeps: {
    include: [
      "@langchain/core/messages",
      "@langchain/langgraph",
      "@langchain/langgraph-checkpoint",
      "@langchain/langgraph-checkpoint-validation",
      "comlink",
      "fast-check",
      "idb",
      "msgpackr",
    ],
  },
  test: {
    name: browser,
    exclude: ["test/servers/**", ...(browser === "chromium" ? [] : [SLOW])],
    browser: { enabled: true, headless: true, screenshotFailures: false, provider: providers[browser], instances: [{ browser }] },
  },
});

/** The same files run in all but the first project: over fake-indexeddb in Node, and in three real engines. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globals: true, // the official kit takes describe, it and expect from the global scope
    testTimeout: 60_000, // two browsers at once on two cores
    hookTimeout: 60_000,
    browser: { connectTimeout: 300_000 }, // a busy machine
    projects: [
      { test: { name: "scripts", include: ["scripts/**/*.test.mjs", "test/*.test.mjs"] } },
      {
        extends: true,
        test: { name: "node", environment: "node", setupFiles: ["test/support/fake-indexeddb.ts"] },
      },
      inBrowser("chromium"),
      inBrowser("firefox"),
      inBrowser("webkit"),
    ],
  },
});
