/// <reference types="vite/client" />
import { expect, it } from "vitest";

/** Records every look at a global for as long as `use` runs. */
async function watchGlobals(names: readonly string[], use: () => Promise<void>): Promise<string[]> {
  const touched: string[] = [];
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name), Reflect.get(globalThis, name) as unknown] as const);
  for (const [name, , value] of before) {
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get() {
        touched.push(name);
        return value;
      },
    });
  }
  try {
    await use();
  } finally {
    for (const [name, own] of before) {
      if (own === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, own);
    }
  }
  return touched;
}

const storage = ["indexedDB", "Worker", "SharedWorker", "BroadcastChannel", "localStorage", "sessionStorage", "MessageChannel"];

it("importing the package and making a saver touches no storage and no worker", async () => {
  const touched = await watchGlobals(storage, async () => {
    const { IndexedDBSaver } = await import("../src/index.ts");
    expect(new IndexedDBSaver({ worker: false })).toBeInstanceOf(IndexedDBSaver);
  });
  expect(touched).toStrictEqual([]);
});

it("importing the worker's module where it is not a worker serves nothing", async () => {
  const touched = await watchGlobals(storage, async () => {
    const { serve } = await import("../src/worker/host.ts");
    expect(serve).toBeTypeOf("function");
  });
  expect(touched).toStrictEqual([]);
});

const sources = import.meta.glob<string>("../src/**/*.ts", { query: "?raw", import: "default", eager: true });

/** All modules that a module imports at run time, and what they import, packages by name. */
function reachable(start: string): Set<string> {
  const found = new Set<string>();
  const visit = (module: string) => {
    if (found.has(module)) return;
    found.add(module);
    const source = sources[module];
    if (source === undefined) return;
    for (const [, clause = "", from = ""] of source.matchAll(/^(?:import|export)\s+([^;]*?\s+from\s+)?"([^"]+)";/gms)) {
      if (clause.startsWith("type ")) continue;
      visit(from.startsWith(".") ? new URL(from, `file:///${module.replace(/^\.\.\//, "")}`).pathname.replace(/^\//, "../") : from);
    }
  };
  visit(start);
  return found;
}

it("the worker imports nothing of LangChain, and no class of the application", () => {
  const modules = [...reachable("../src/worker/host.ts")];
  expect(modules.filter((module) => !module.startsWith(".")).toSorted()).toStrictEqual(["comlink", "idb", "msgpackr"]);
  expect(modules.some((module) => module.startsWith("../src/engine/"))).toBe(true);
  expect(modules.filter((module) => module.startsWith("../src/saver/"))).toStrictEqual([]);
});
