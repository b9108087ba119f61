import fc from "fast-check";
import { expect, it } from "vitest";
import { expand, squeeze } from "../../src/engine/squeeze.ts";
import { runs } from "../support/runs.ts";

const word = fc.constantFrom("\xc1", "\xc1\x00", "__start__", "branch:to:model", "\xa8messages", "a", "ab", "\x00", "the same words again ");
const repetitive = fc.array(word, { maxLength: 120 }).map((words) => Uint8Array.from(words.join(""), (character) => character.charCodeAt(0)));
const bytes = fc.oneof(repetitive, fc.uint8Array({ maxLength: 600 }), fc.uint8Array({ min: 0xc0, max: 0xc2, maxLength: 1200 }));

it("rows come back as they were", () => {
  fc.assert(
    fc.property(bytes, (row) => {
      expect(expand(squeeze(row))).toStrictEqual(row);
    }),
    runs(2_000),
  );
});

it("bytes that no row becomes are refused, or make some row, without end or error", () => {
  let refused = 0;
  fc.assert(
    fc.property(bytes, (row) => {
      const expanded = expand(row);
      if (expanded === undefined) refused += 1;
      expect(expanded?.length ?? 0).toBeLessThanOrEqual(row.length * 255);
    }),
    runs(2_000),
  );
  expect(refused).toBeGreaterThan(0);
});

it("what LangGraph says of a step takes less than half of the space", () => {
  const encoder = new TextEncoder();
  const head = (step: number, at: number) =>
    encoder.encode(JSON.stringify({ seen: { __input__: {}, __start__: { __start__: at }, model: { "branch:to:model": at } }, metadata: { source: "loop", step, parents: {} }, versions: { __start__: at, "branch:to:model": at, messages: at } }));
  const row = head(17, 36.78167076187674);
  expect(squeeze(row).length).toBeLessThan(row.length / 2);
});
