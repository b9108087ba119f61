import { defineConfig } from "@playwright/test";
import { chromiumArgs, chromiumPath, firefoxPath } from "./scripts/browsers.mjs";

const port = Number(process.env["E2E_PORT"] ?? 4318);

export default defineConfig({
  testDir: "e2e",
  testIgnore: "engines/**",
  tsconfig: "./e2e/tsconfig.built.json", // no paths there: the package under test is what was built
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  snapshotPathTemplate: "{testDir}/golden/{arg}{ext}",
  fullyParallel: true,
  workers: 2,
  use: {
    baseURL: `http://localhost:${String(port)}`,
  },
  projects: [
    { name: "chromium", use: { browserName: "chromium", launchOptions: { executablePath: chromiumPath(), args: chromiumArgs } } },
    { name: "firefox", grep: /@core/, use: { browserName: "firefox", channel: "moz-firefox", launchOptions: { executablePath: firefoxPath() } } },
  ],
  webServer: {
    command: `npx vite build && npx vite preview --host localhost --port ${String(port)} --strictPort`,
    port,
    timeout: 120_000,
  },
});
