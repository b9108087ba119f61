import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("demo"),
  base: "./",
  plugins: [react()],
  resolve: {
    alias: {
      "langgraph-checkpoint-indexeddb/threads": here("src/threads/index.ts"),
      "langgraph-checkpoint-indexeddb": here("src/index.ts"),
    },
  },
  worker: { format: "es" },
  build: { outDir: here("dist-demo"), emptyOutDir: true, target: "es2022", sourcemap: true, chunkSizeWarningLimit: 2000 },
});
