import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { build, createServer, preview } from "vite";
import webpack from "webpack";
import { run, scratch } from "./scratch.ts";

const vite = { root: scratch, configFile: false, logLevel: "error" } as const;

function esbuild(entry: string, folder: string, file: string): void {
  run("esbuild", [entry, "--bundle", "--format=esm", "--log-level=warning", `--outfile=${join(folder, file)}`], scratch);
  copyFileSync(join(scratch, "index.html"), join(folder, "index.html"));
}

/** Bundles the scratch application into a folder, as the README tells the bundler's users to. */
const bundlers: Record<string, (folder: string) => Promise<void>> = {
  "Vite build": async (outDir) => {
    await build({ ...vite, build: { outDir, target: "es2022" } });
  },
  webpack: async (path) => {
    const optimization = { minimize: false }; // minifying LangChain takes most of a minute
    const compiler = webpack({ mode: "production", context: scratch, entry: "./main.js", output: { path }, optimization });
    const stats = await promisify(compiler.run.bind(compiler))();
    expect(stats?.toJson({ all: false, errors: true, warnings: false }).errors).toEqual([]);
    copyFileSync(join(scratch, "index.html"), join(path, "index.html"));
  },
  esbuild: async (folder) => {
    esbuild("main-own-worker.js", folder, "main.js");
    esbuild("langgraph-checkpoint-indexeddb/worker", folder, "host.js");
  },
};

interface Served {
  url: string;
  close: () => Promise<void>;
}

async function serveFolder(outDir: string): Promise<Served> {
  const server = await preview({ ...vite, appType: "mpa", build: { outDir } });
  return { url: server.resolvedUrls?.local[0] ?? "", close: () => server.close() };
}

const served: Record<string, () => Promise<Served>> = {
  "Vite dev": async () => {
    const server = await (await createServer(vite)).listen();
    return { url: server.resolvedUrls?.local[0] ?? "", close: () => server.close() };
  },
};
for (const [name, bundle] of Object.entries(bundlers)) {
  const folder = join(scratch, "out", name);
  served[name] = () => bundle(folder).then(() => serveFolder(folder));
}

for (const [name, serve] of Object.entries(served)) {
  test(`${name}: the worker starts and a graph is there after a reload`, async ({ page }) => {
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
    });
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new Error("IndexedDB was opened on the main thread");
      };
    });
    const { url, close } = await serve();
    try {
      await page.goto(url);
      await expect(page.locator("#after")).toHaveText("human: hello, ai: answer 1");
      await expect(page.locator("#before")).toHaveText("nothing");
      expect(page.workers().map((worker) => new URL(worker.url()).origin)).toEqual([new URL(url).origin]);

      await page.reload();
      await expect(page.locator("#after")).toHaveText("human: hello, ai: answer 1, human: hello, ai: answer 3");
      await expect(page.locator("#before")).toHaveText("human: hello, ai: answer 1");
      expect(page.workers()).toHaveLength(1);
      expect(faults).toEqual([]);
    } finally {
      await close();
    }
  });
}

test("esbuild without the worker's file: the first use says what is missing", async ({ page }) => {
  const folder = join(scratch, "out", "no worker");
  esbuild("main.js", folder, "main.js");
  const { url, close } = await serveFolder(folder);
  try {
    const error = page.waitForEvent("pageerror");
    await page.goto(url);
    expect((await error).message).toContain("The storage worker did not start");
  } finally {
    await close();
  }
});
