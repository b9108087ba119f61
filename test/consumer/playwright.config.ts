import { defineConfig } from "@playwright/test";
import { chromiumArgs, chromiumPath } from "../../scripts/browsers.mjs";

/** What a user of the package gets: the packed tarball, installed into scratch applications, run in Chromium. */
export default defineConfig({
  testDir: ".",
  globalSetup: "./install.ts",
  outputDir: "../../test-results/consumer",
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: { launchOptions: { executablePath: chromiumPath(), args: chromiumArgs } },
});
