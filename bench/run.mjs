// Runs the benchmark, see README.md. The driver is TypeScript, which vite loads.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runnerImport } from "vite";

const { values } = parseArgs({
  options: {
    engine: { type: "string", default: "chromium,firefox,webkit" },
    only: { type: "string", default: "" },
    subject: { type: "string", default: "" },
    quick: { type: "boolean", default: false },
    readme: { type: "boolean", default: false },
  },
});
/** @param {string} list */
const names = (list) => list.split(",").filter(Boolean);
const { module } = await runnerImport(fileURLToPath(new URL("driver/run.ts", import.meta.url)), {
  configFile: false,
  oxc: { target: "es2022" },
});
const { quick, readme } = values;
await module.run({ engines: names(values.engine), only: names(values.only), subjects: names(values.subject), quick, readme });
