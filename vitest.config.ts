import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { chromiumArgs, chromiumPath } from "./scripts/browsers.mjs";

/** The same files run in both projects: over fake-indexeddb in Node, and in a real Chromium. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globals: true, // the official kit takes describe, it and expect from the global scope
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      { test: { name: "scripts", include: ["scripts/**/*.test.mjs", "test/*.test.mjs"] } },
      {
        extends: true,
        test: { name: "node", environment: "node", setupFiles: ["test/support/fake-indexeddb.ts"] },
      },
      {
        extends: true,
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
          name: "chromium",
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: { executablePath: chromiumPath(), args: chromiumArgs } }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
