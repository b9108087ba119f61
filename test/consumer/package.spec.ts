import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { build, type Metafile, type OutputFile } from "esbuild";
import { publint } from "publint";
import manifest from "../../package.json" with { type: "json" };
import { ArchiveWriter } from "../../src/archive/index.ts";
import budget from "./budget.json" with { type: "json" };
import { run, scratch, tarball } from "./scratch.ts";

const own = manifest.name;

/**
 * Bundles an entry point for production without the peers: the packages that went in, what stayed outside, and the bytes,
 * gzipped, of what is loaded with it. What it loads later, as the main entry does the engine for `worker: false`, does not count.
 */
async function bundle(entry: string): Promise<{ packages: string[]; outside: string[]; files: number; size: number }> {
  const { metafile, outputFiles } = await build({
    stdin: { contents: `export * from "${entry}";`, resolveDir: scratch },
    bundle: true,
    minify: true,
    format: "esm",
    splitting: true,
    outdir: "out",
    write: false,
    metafile: true,
    external: ["@langchain/*"],
  });
  const inputs = Object.entries(metafile.inputs);
  const packageOf = (path: string): string => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path;
  const names = (paths: string[]): string[] => [...new Set(paths)].toSorted();
  return {
    packages: names(inputs.map(([path]) => path).filter((path) => path !== "<stdin>").map(packageOf)),
    outside: names(inputs.flatMap(([, input]) => input.imports.filter(({ external }) => external).map(({ path }) => path))),
    files: outputFiles.length,
    size: loadedWith(metafile).reduce((sum, path) => sum + gzipped(outputFiles.find((file) => file.path.endsWith(path))), 0),
  };
}

/** The output files that an entry cannot start without. */
function loadedWith({ outputs }: Metafile): string[] {
  const found = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === "<stdin>"));
  for (const path of found) {
    for (const each of outputs[path]?.imports ?? []) if (each.kind === "import-statement" && !each.external) found.add(each.path);
  }
  return [...found];
}

function gzipped(file: OutputFile | undefined): number {
  if (file === undefined) throw new Error("an output file is missing");
  return gzipSync(file.contents).length;
}

test("publint finds nothing", async () => {
  const { messages } = await publint({ pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer } });
  expect(messages).toEqual([]);
});

test("the types resolve for every entry point", () => {
  const printed = run("attw", [tarball, "--profile", "esm-only"]);
  for (const entry of ["worker", "threads", "archive", "encryption", "playwright"]) expect(printed).toContain(`"${own}/${entry}"`);
});

test("a TypeScript application compiles, and so do the declarations", () => {
  const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom,esnext.disposable"];
  expect(run("tsc", [...options, "--skipLibCheck", "false", "typed.ts", "typed-threads.ts"], scratch)).toBe("");
});

test("importing and constructing it on a server does nothing, and using it there says why it cannot work", () => {
  const printed = execFileSync(process.execPath, ["server.js"], { cwd: scratch, encoding: "utf8" });
  expect(printed.trim()).toBe("storage-unavailable");
});

test("the command says what a file holds, and that a damaged one is damaged", async () => {
  const writer = new ArchiveWriter(Date.UTC(2026, 0, 1));
  const thread = { kind: "thread", id: "thread-1", title: "hello \u001b[2J", created: 0, updated: 0 } as const;
  const checkpoint = { kind: "checkpoint", id: "c1", head: new Uint8Array(2), channels: [] } as const;
  const file = Buffer.concat([await writer.add([thread, { kind: "namespace", name: "" }, checkpoint]), await writer.end()]);
  writeFileSync(join(scratch, "good.threads"), file);
  writeFileSync(join(scratch, "cut.threads"), file.subarray(0, -1));
  const inspect = (...args: string[]) => spawnSync(join(scratch, "node_modules/.bin", own), ["inspect", ...args], { cwd: scratch, encoding: "utf8" });
  const good = inspect("good.threads");
  expect(good).toMatchObject({ status: 0, stderr: "" });
  expect(good.stdout).toContain("thread-1  hello \\u{1b}[2J");
  expect(good.stdout).toContain("graph: 1 checkpoint, 1 branch");
  expect(JSON.parse(inspect("good.threads", "--json").stdout)).toMatchObject({ threads: [{ id: "thread-1", namespaces: [{ checkpoints: 1 }] }] });
  expect(inspect("cut.threads")).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("damaged") });
  expect(inspect("nowhere.threads")).toMatchObject({ status: 1, stdout: "" });
  expect(inspect()).toMatchObject({ status: 2, stderr: expect.stringContaining("Usage") });
});

test("the worker holds nothing of LangChain", async () => {
  const { packages, outside } = await bundle(`${own}/worker`);
  expect(packages).toEqual(["comlink", "idb", own, "msgpackr"]);
  expect(outside).toEqual([]);
});

test("the worker is one file: WebKit evaluates its first one again where another file of the worker imports it", async () => {
  expect((await bundle(`${own}/worker`)).files).toBe(1);
});

test("the thread store holds nothing of LangChain", async () => {
  const { packages, outside } = await bundle(`${own}/threads`);
  expect(packages).toEqual(["comlink", "idb", own, "msgpackr"]);
  expect(outside).toEqual([]);
});

test("the main entry reaches for its peers and nothing else", async () => {
  const { outside } = await bundle(own);
  const peers = Object.keys(manifest.peerDependencies);
  expect(outside.filter((path) => !peers.some((peer) => path === peer || path.startsWith(`${peer}/`)))).toEqual([]);
});

for (const [entry, limit] of Object.entries(budget)) {
  test(`${entry} fits its budget`, async () => {
    const { size } = await bundle(entry);
    console.log(`${entry}: ${size} bytes gzipped, at most ${limit}`);
    expect(size).toBeLessThanOrEqual(limit);
  });
}
