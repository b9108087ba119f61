import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** In a profile each chunk is one party, so that a function's address tells whose time it is. */
function party(id: string): string | null {
  const dependency = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1];
  if (dependency !== undefined) return dependency.replace("/", "-");
  if (id.startsWith(path("../src/"))) return "src";
  return id.startsWith(path("./")) ? "bench" : null;
}

const byParty = {
  chunkFileNames: "[name].js",
  strictExecutionOrder: true,
  codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: party, debugName: "party" }] },
};

export default defineConfig(({ mode }) => {
  const profiled = mode === "profile";
  const rolldownOptions = profiled ? { output: byParty } : {};
  return {
    root: path("./page"),
    logLevel: "warn",
    worker: { format: "es", rolldownOptions },
    build: {
      outDir: path(`../.cache/bench-${mode}`),
      emptyOutDir: true,
      target: "es2022",
      minify: !profiled,
      chunkSizeWarningLimit: Infinity,
      rolldownOptions,
    },
  };
});
