import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The package says that its modules have no effect of their own; in a metered worker some are imported for theirs. */
const keepEffects: Plugin = {
  name: "keep-effects",
  transform: (code, id) => (/metered-realm|worker.host/.test(id) ? { code, map: null, moduleSideEffects: true } : undefined),
};

/** Built as an application would be; for a profile with names kept and source maps, which tell whose time it is. */
export default defineConfig(({ mode }) => {
  const profiled = mode === "profile";
  return {
    root: path("./page"),
    logLevel: "warn",
    worker: { format: "es", plugins: () => [keepEffects] },
    build: {
      outDir: path(`../.cache/bench-${mode}`),
      emptyOutDir: true,
      target: "es2022",
      minify: !profiled,
      sourcemap: profiled,
      chunkSizeWarningLimit: Infinity,
      rolldownOptions: { input: ["index", "idle"].map((name) => path(`./page/${name}.html`)) },
    },
  };
});
