import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Plugin } from "vite";

const SOURCE = new URL("../offline/serviceWorker.ts", import.meta.url).pathname;

/** Builds the service worker last, with the list of all files that a visitor needs. */
export function serviceWorker(): Plugin {
  return {
    name: "demo:service-worker",
    apply: "build",
    enforce: "post",
    async writeBundle({ dir = "" }) {
      await build({
        entryPoints: [SOURCE],
        outfile: join(dir, "sw.js"),
        bundle: true,
        minify: true,
        format: "iife",
        target: "es2022",
        define: { PRECACHED: JSON.stringify(filesIn(dir)), "process.env.NODE_ENV": '"production"' },
      });
    },
  };
}

function filesIn(dir: string): { url: string; revision: string }[] {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile() && !/\.map$|^sw\.js$/.test(file.name));
  return files.map((file) => {
    const path = join(file.parentPath, file.name);
    return { url: relative(dir, path).split(sep).join("/"), revision: createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16) };
  });
}
