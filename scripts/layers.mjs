// Imports go one way: a folder of src/ is a layer, and imports only itself and the layers below it. Types count too.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "vite";

/** @type {Record<string, string[]>} Top to bottom, and the packages that a layer may import. */
const layers = {
  playwright: ["@langchain/core", "@langchain/langgraph-checkpoint", "@playwright/test", "msgpackr", "node:fs"],
  transfer: ["@langchain/langgraph-checkpoint"],
  command: ["node:fs", "node:util"],
  saver: ["@langchain/core", "@langchain/langgraph-checkpoint"],
  encryption: [],
  threads: [],
  channels: [],
  codec: [],
  worker: ["comlink"],
  engine: [],
  idb: ["idb"],
  archive: [],
  cipher: [],
  msgpack: ["msgpackr"],
  errors: [],
};
const order = Object.keys(layers);

/** Values become bytes above the worker: what is below it has no codec, and the codec nothing of that. */
const apart = new Set(["codec worker", "codec engine", "codec idb"]);

/** The package's, and the worker's. */
const entries = new Set(["index.ts", "worker/host.ts"]);

/** @param {string} file @param {string} source @returns {{ imports: string[], identifiers: string[] }} */
function names(file, source) {
  const found = { imports: /** @type {string[]} */ ([]), identifiers: /** @type {string[]} */ ([]) };
  /** @param {{ source: { value?: unknown } | null }} node */
  const from = ({ source }) => void (source && found.imports.push(typeof source.value === "string" ? source.value : "(computed)"));
  const imports = ["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration", "ImportExpression", "TSImportType"];
  new Visitor({
    ...Object.fromEntries(imports.map((type) => [type, from])),
    Identifier: ({ name }) => void found.identifiers.push(name),
  }).visit(parseSync(file, source).program);
  return found;
}

/** @param {string} root @returns {string[]} What breaks the layers in a source tree, a sentence each. */
export function violations(root) {
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
  return paths.flatMap((path) => {
    const file = path.split(sep).join("/");
    if (entries.has(file)) return []; // an entry point may import from anywhere
    const layer = file.slice(0, Math.max(0, file.indexOf("/")));
    const packages = layers[layer];
    if (!packages) return [`${file} is in no layer (${order.join(" > ")})`];

    const { imports, identifiers } = names(file, readFileSync(join(root, path), "utf8"));
    const wrong = imports.flatMap((name) => {
      if (!name.startsWith(".")) {
        const allowed = packages.some((allowed) => name === allowed || name.startsWith(`${allowed}/`));
        return allowed ? [] : [`${file} imports ${name}: ${layer} may not import that package`];
      }
      const target = relative(root, resolve(root, dirname(path), name)).split(sep)[0] ?? "";
      const refused = order.indexOf(target) < order.indexOf(layer) || apart.has(`${layer} ${target}`);
      return refused ? [`${file} imports ${name}: ${layer} may not import ${target}`] : [];
    });
    const browser = layer !== "idb" && identifiers.find((name) => /^(indexedDB|IDB[A-Z]\w*)$/.test(name));
    return browser ? [...wrong, `${file} names ${browser}: only idb knows IndexedDB`] : wrong;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = violations(fileURLToPath(new URL("../src", import.meta.url)));
  console.log(found.length > 0 ? found.join("\n") : `Imports follow the layers: ${order.join(" > ")}`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
