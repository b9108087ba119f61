// Looks for bytes that break the decoder, for as many seconds as it is told: `npm run fuzz [-- 600]`. A failure prints the seed to repeat it with.
// `npm run fuzz -- 600 --guided` is guided by the code that the bytes reach, by jsfuzz, which npm downloads for it; a failure leaves them in a file.
import { build } from "esbuild";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { positionals, values } = parseArgs({ allowPositionals: true, options: { guided: { type: "boolean", default: false } } });
const seconds = positionals[0] ?? "600";

if (values.guided) {
  const folder = fileURLToPath(new URL("../.cache/fuzz", import.meta.url));
  const entry = fileURLToPath(new URL("../test/hostile/guided.ts", import.meta.url));
  const target = join(folder, "guided.cjs");
  await build({ entryPoints: [entry], bundle: true, platform: "node", format: "cjs", outfile: target });
  mkdirSync(join(folder, "corpus"), { recursive: true });
  /** @type {Uint8Array[]} */
  const seeds = createRequire(import.meta.url)(target).seeds();
  for (const [n, seed] of seeds.entries()) writeFileSync(join(folder, "corpus", `seed-${n}`), seed);
  // It goes on until it finds something. That it was ended when the time was over is a success.
  const fuzzer = spawn("npx", ["--yes", "jsfuzz@1.0.15", "guided.cjs", "corpus"], { stdio: "inherit", cwd: folder, detached: true });
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    process.kill(-Number(fuzzer.pid));
  }, 1000 * Number(seconds));
  await once(fuzzer, "exit");
  clearTimeout(timer);
  process.exitCode = isOver ? 0 : 1;
} else {
  const { status } = spawnSync("npx", ["vitest", "run", "--project", "node", "test/hostile/decoder.test.ts"], {
    stdio: "inherit",
    env: { ...process.env, FUZZ_SECONDS: seconds },
    shell: process.platform === "win32",
  });
  process.exitCode = status ?? 1;
}
