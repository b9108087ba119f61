// Looks for bytes that break the decoder, for as many seconds as it is told: `npm run fuzz [-- 600]`. A failure prints the seed to repeat it with.
import { spawnSync } from "node:child_process";

const seconds = process.argv[2] ?? "600";
const { status } = spawnSync("npx", ["vitest", "run", "--project", "node", "test/hostile/decoder.test.ts"], {
  stdio: "inherit",
  env: { ...process.env, FUZZ_SECONDS: seconds },
  shell: process.platform === "win32",
});
process.exitCode = status ?? 1;
