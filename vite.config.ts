import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { contentSecurityPolicy } from "./demo/build/contentSecurityPolicy.ts";
import { serviceWorker } from "./demo/build/serviceWorker.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("demo"),
  base: "./",
  plugins: [react(), contentSecurityPolicy(), serviceWorker()],
  resolve: {
    alias: [
      // The one for browsers puts entities into an element's HTML, which Trusted Types refuse.
      { find: /^decode-named-character-reference$/, replacement: here("node_modules/decode-named-character-reference/index.js") },
      { find: /^langgraph-checkpoint-indexeddb$/, replacement: here("src/index.ts") },
      { find: /^langgraph-checkpoint-indexeddb\/threads$/, replacement: here("src/threads/index.ts") },
      { find: /^langgraph-checkpoint-indexeddb\/worker(?=$|\?)/, replacement: here("src/worker/host.ts") },
    ],
  },
  worker: { format: "es" },
  build: {
    outDir: here("dist-demo"),
    emptyOutDir: true,
    target: "es2022",
    sourcemap: true,
    chunkSizeWarningLimit: 2000,
  },
});
