import { defineConfig } from "@playwright/test";

/** Browsers that are killed, and several tabs: on pages of their own. */
export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results/engines",
  timeout: 240_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  fullyParallel: true,
  workers: 2,
});
