import { transform } from "esbuild";
import { readFileSync } from "node:fs";
import { compileFunction } from "node:vm";

/** The TypeScript in a Markdown file, block by block. @param {string} file */
export function snippetsOf(file) {
  return [...readFileSync(file, "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? "");
}

/**
 * Runs a snippet as a function of the scope: what it imports, from `scope.modules`, and declares at its top level goes there.
 * @param {string} snippet
 * @param {Record<string, any>} scope
 * @param {string} [filename] what errors name as its file, and what a test runner takes for the file of the tests in it
 */
export async function run(snippet, scope, filename) {
  const { code } = await transform(snippet, { loader: "ts", format: "esm" });
  const imported = [...code.matchAll(/^import \{([^}]*)\}/gm)].flatMap(([, names]) => names?.split(",") ?? []);
  const made = [...code.matchAll(/^(?:const|class|(?:async )?function) (?:(\w+)|\{([^}]*)\}|\[([^\]]*)\])/gm)].flatMap(([, name, fields, items]) => (name ?? fields ?? items ?? "").split(","));
  const declared = [...new Set([...imported, ...made].map((name) => name.trim()).filter((name) => name !== ""))];
  const body = code
    .replaceAll(/^import (\{[^}]*\}) from ("[^"]+");$/gm, "const $1 = modules[$2];")
    .replaceAll(/^export \{[^}]*\};$/gm, "")
    .replaceAll("import.meta.url", '"file:///"');
  const known = Object.keys(scope).filter((name) => !declared.includes(name));
  const program = compileFunction(`return (async () => {${body}\nreturn { ${declared.join(", ")} };})()`, known, filename === undefined ? {} : { filename });
  Object.assign(scope, await program(...known.map((name) => scope[name])));
}
