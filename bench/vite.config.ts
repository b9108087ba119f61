import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Built as an application would be; for a profile with names kept and source maps, which tell whose time it is. */
export default defineConfig(({ mode }) => {
  const profiled = mode === "profile";
  return {
    root: path("./page"),
    logLevel: "warn",
    worker: { format: "es" },
    build: {
      outDir: path(`../.cache/bench-${mode}`),
      emptyOutDir: true,
      target: "es2022",
      minify: !profiled,
      sourcemap: profiled,
      chunkSizeWarningLimit: Infinity,
    },
  };
});
