// Profiles one case: node bench/profile.mjs --saver worker --channel delta. The driver is TypeScript, which vite loads.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runnerImport } from "vite";

const { values } = parseArgs({
  options: {
    saver: { type: "string", default: "inline" },
    channel: { type: "string", default: "plain" },
    frequency: { type: "string", default: "100" },
    turns: { type: "string", default: "300" },
    last: { type: "string", default: "100" },
    reads: { type: "string", default: "20" },
    top: { type: "string", default: "25" },
  },
});
const { saver, channel, ...numbers } = values;
const { module } = await runnerImport(fileURLToPath(new URL("driver/profile.ts", import.meta.url)), {
  configFile: false,
  oxc: { target: "es2022" },
});
await module.profile({
  saver,
  channel,
  ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])),
});
