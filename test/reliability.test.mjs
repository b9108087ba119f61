// The table of faults names tests: each of them is there. And the guide's snippets run.
import "fake-indexeddb/auto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as saver from "../src/index.ts";
import * as errors from "../src/errors/errors.ts";
import { run, snippetsOf } from "./support/snippets.mjs";

const guide = readFileSync("docs/reliability.md", "utf8");
const codes = new Set(Object.values(errors).map(({ code }) => code));
const [, table = ""] = /<!-- faults:start -->(.*)<!-- faults:end -->/s.exec(guide) ?? [];
const [, engines = ""] = /<!-- engines:start -->(.*)<!-- engines:end -->/s.exec(guide) ?? [];
const rows = `${table}\n${engines}`.split("\n").filter((line) => /^\| .*`(?:test|e2e)\//.test(line));

it("every fault has a test, and every code is one", () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(table.split("\n").filter((line) => line.startsWith("| ")).length).toBeGreaterThan(30);
  expect(engines.split("\n").filter((line) => line.startsWith("| ")).length).toBeGreaterThan(10);
  for (const row of rows) {
    const cells = row.split(" | ");
    const [, file = "", title = ""] = /`([^`]+)` "([^"]+)"/.exec(cells.at(-1) ?? "") ?? [];
    expect(readFileSync(file, "utf8"), `${file} has no test called "${title}"`).toContain(`"${title}"`);
    for (const [, code = ""] of (cells.at(-2) ?? "").matchAll(/`([a-z-]+)`/g)) expect(codes).toContain(code);
  }
});

it("the snippets run", async () => {
  /** @type {Record<string, any>} */
  const scope = {
    modules: { "langgraph-checkpoint-indexeddb": saver },
    console: { log: () => undefined },
    hideBanner: () => undefined,
    showBanner: () => undefined,
    offerToDelete: () => undefined,
  };
  const snippets = snippetsOf("docs/reliability.md");
  expect(snippets).toHaveLength(3);
  for (const snippet of snippets) await run(snippet, scope);
  expect(scope["isKept"]).toBe(false);
  expect(scope["saver"].status()).toEqual({ state: "open" });
  scope["stopFaults"]();
  scope["stopSpace"]();
  await scope["saver"].close();
});
