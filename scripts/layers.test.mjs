import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { violations } from "./layers.mjs";

/** @param {Record<string, string>} files */
function check(files) {
  const root = mkdtempSync(join(tmpdir(), "layers-"));
  try {
    for (const [file, source] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), source);
    }
    return violations(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test("imports of the layers below, of its own layer and of its packages are allowed", () => {
  const found = check({
    "index.ts": `export { A } from "./saver/a.ts";`,
    "saver/a.ts": `import { B } from "./b.ts"; import { E } from "../errors/e.ts"; import { X } from "@langchain/core/messages";`,
    "codec/a.ts": `import { E } from "../errors/e.ts";`,
    "engine/a.ts": `import { pack } from "../msgpack/m.ts"; import { open } from "../idb/a.ts";`,
    "idb/a.ts": `import { openDB } from "idb"; export const factory: IDBFactory = indexedDB;`,
    "worker/a.ts": `// indexedDB and IDBFactory in words only\nexport const text = "indexedDB";`,
  });
  expect(found).toEqual([]);
});

/** @type {[what: string, file: string, source: string, found: string][]} */
const cases = [
  ["a layer above", "engine/a.ts", `import { C } from "../worker/c.ts";`, "engine may not import worker"],
  ["a type of a layer above", "idb/a.ts", `import type { C } from "../engine/c.ts";`, "idb may not import engine"],
  ["an inline type", "idb/a.ts", `export let c: import("../engine/c.ts").C;`, "idb may not import engine"],
  ["a re-export", "errors/a.ts", `export * from "../idb/c.ts";`, "errors may not import idb"],
  ["a lazy import", "channels/a.ts", `export const c = () => import("../saver/c.ts");`, "channels may not import saver"],
  ["a computed import", "engine/a.ts", "export const c = (n: string) => import(`../${n}.ts`);", "(computed)"],
  ["the entry point", "engine/a.ts", `import { A } from "../index.ts";`, "engine may not import index.ts"],
  ["the codec from the storage side", "engine/deep/a.ts", `import "../../codec/c.ts";`, "engine may not import codec"],
  ["the storage side from the codec", "codec/a.ts", `import "../worker/c.ts";`, "codec may not import worker"],
  ["LangChain in the worker", "worker/a.ts", `import { X } from "@langchain/core/messages";`, "worker may not import that package"],
  ["LangChain in the codec", "codec/a.ts", `import "@langchain/core/messages";`, "codec may not import that package"],
  ["an unlisted package", "saver/a.ts", `import x from "left-pad";`, "saver may not import that package"],
  ["a package by a prefix only", "idb/a.ts", `import x from "idb-keyval";`, "idb may not import that package"],
  ["IndexedDB by value", "engine/a.ts", `export const f = globalThis.indexedDB;`, "only idb knows IndexedDB"],
  ["IndexedDB by type", "engine/a.ts", `export type T = IDBTransaction;`, "only idb knows IndexedDB"],
  ["a folder that is no layer", "utils/a.ts", `export {};`, "is in no layer"],
];

test.each(cases)("refuses %s", (_what, file, source, found) => {
  expect(check({ [file]: source })).toEqual([expect.stringContaining(found)]);
});
