import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { places, published } from "../e2e/engines/publish.ts";
import { readResults } from "../e2e/engines/results.ts";

test.for([...new Set(Object.values(places))])("docs/%s has the tables of what was seen last", async (name) => {
  const guide = readFileSync(`docs/${name}`, "utf8");
  expect(published(name, guide, await readResults())).toBe(guide);
});
