// Runs the benchmark: node bench/run.mjs [--quick] [--readme]. The driver is TypeScript, which vite loads.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runnerImport } from "vite";

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, readme: { type: "boolean", default: false } },
});
const { module } = await runnerImport(fileURLToPath(new URL("driver/run.ts", import.meta.url)), {
  configFile: false,
  oxc: { target: "es2022" },
});
await module.run(values);
