// Kills browsers, or fills them with tabs, for longer than `npm test` does, or runs all tests in each of them, and puts what was seen into the guides:
// `npm run crashes -- [--engine chromium,firefox] [--rounds 50]`, `npm run tabs -- [--engine …] [--tabs 10] [--steps 200]`, `npm run counts
// [-- --reports FOLDER]`.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runnerImport } from "vite";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: "string", default: "" },
    rounds: { type: "string", default: "50" },
    tabs: { type: "string", default: "10" },
    steps: { type: "string", default: "200" },
    reports: { type: "string" },
  },
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1)); // with the browsers
const { module } = await runnerImport(fileURLToPath(new URL("../e2e/engines/run.ts", import.meta.url)), { configFile: false, oxc: { target: "es2022" } });
await module.run({
  suite: positionals[0],
  engines: values.engine.split(",").filter(Boolean),
  rounds: Number(values.rounds),
  tabs: Number(values.tabs),
  steps: Number(values.steps),
  reports: values.reports,
});
