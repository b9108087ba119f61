import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { graph, tree } from "../support/arbitrary-values.ts";
import { at, put, roundTrip, tupleAt } from "../support/checkpoints.ts";
import { implementations, withSaver } from "../support/contract.ts";
import { difference } from "../support/difference.ts";
import { runs } from "../support/runs.ts";
import { wreck } from "../support/wreck.ts";

/* The elements of a channel's own list (or large map or record) are stored one by one: one object in two of them comes back as two. Inside an element all is kept. */
describe.each(implementations)("Any value (%s)", (implementation) => {
  it("comes back as it was, from a channel and from a write", async () => {
    await withSaver(implementation, async (saver) => {
      await fc.assert(
        fc.asyncProperty(fc.oneof(tree, graph), async (value) => {
          const back = await roundTrip(saver, { value });
          expect(difference(back.channel, { value })).toBeUndefined();
          expect(difference(back.write, { value })).toBeUndefined();
        }),
        runs(400),
      );
    });
  }, 120_000);

  it("comes back as it was, as a list that changes from step to step", async () => {
    await withSaver(implementation, async (saver) => {
      await fc.assert(
        fc.asyncProperty(fc.array(tree, { minLength: 1, maxLength: 6 }), fc.array(fc.array(fc.nat(5), { maxLength: 8 }), { minLength: 1, maxLength: 5 }), async (elements, steps) => {
          let head = at(`thread ${crypto.randomUUID()}`);
          const lists = steps.map((indices) => indices.map((index) => elements[index % elements.length]));
          const stored: (typeof head)[] = [];
          for (const [n, list] of lists.entries()) stored.push((head = await put(saver, head, n, { values: { list } })));
          for (const [n, config] of stored.entries()) {
            const back = (await tupleAt(saver, config)).checkpoint.channel_values["list"] as unknown[];
            expect(back).toHaveLength(lists[n]?.length ?? -1);
            for (const [index, element] of back.entries()) expect(difference(element, lists[n]?.[index])).toBeUndefined();
          }
        }),
        runs(100),
      );
    });
  }, 120_000);

  it("is stored as it was at the call, whatever becomes of it afterwards", async () => {
    await withSaver(implementation, async (saver) => {
      await fc.assert(
        fc.asyncProperty(fc.oneof(tree, graph).filter(hasPrototypes), async (value) => {
          const passed = { list: [{ value }], one: { value }, writes: [["a", { value }]] as [string, unknown][], metadata: { value } };
          const before: unknown = structuredClone(value);
          const thread = at(`thread ${crypto.randomUUID()}`);
          const stored = put(saver, thread, 1, { values: { list: passed.list, one: passed.one }, metadata: passed.metadata });
          const written = saver.putWrites(at(thread.configurable?.["thread_id"] as string, "", 1), passed.writes, "task");
          wreck(passed);
          await Promise.all([stored, written]);

          const { checkpoint, metadata, pendingWrites } = await tupleAt(saver, thread);
          const { list, one } = checkpoint.channel_values as { list: unknown[]; one: unknown };
          for (const back of [list[0], one, pendingWrites?.[0]?.[2], { value: Reflect.get(metadata ?? {}, "value") as unknown }]) {
            expect(difference(back, { value: before })).toBeUndefined();
          }
        }),
        runs(100),
      );
    });
  }, 120_000);
});

/** Structured clone, which makes the copies here, gives every object a prototype, and takes the name of an Error's class for it. */
function hasPrototypes(value: unknown): boolean {
  return difference(structuredClone(value), value) === undefined;
}
