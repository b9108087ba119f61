import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { published } from "../e2e/engines/publish.ts";
import { readResults } from "../e2e/engines/results.ts";

test("docs/engines.md has the tables of what was seen last", async () => {
  const guide = readFileSync("docs/engines.md", "utf8");
  expect(published(guide, await readResults())).toBe(guide);
});
