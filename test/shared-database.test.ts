import { describe, expect, it } from "vitest";
import type { IndexedDBSaver } from "../src/index.ts";
import { at, checkpointId, listedIds, put, tupleAt, valuesAt, writesOf } from "./support/checkpoints.ts";
import { freshName, type Implementation, openSaver } from "./support/contract.ts";
import { deleteDatabase } from "./support/raw-database.ts";

const thread = at("thread");

/** Pairs of savers on one database that share no engine, as two tabs do not. */
const pairs: [string, Implementation, Implementation][] = [
  ["a worker and inline", "worker", "inline"],
  ["inline and a worker", "inline", "worker"],
];

async function withPair(left: Implementation, right: Implementation, use: (one: IndexedDBSaver, two: IndexedDBSaver) => Promise<void>): Promise<void> {
  const name = freshName();
  const [one, two] = [openSaver(left, { name }), openSaver(right, { name })];
  try {
    await use(one, two);
  } finally {
    await Promise.all([one.close(), two.close()]);
    await deleteDatabase(name);
  }
}

describe.each(pairs)("Two savers on one database (%s)", (_, left, right) => {
  it("see what the other stored, at once", () =>
    withPair(left, right, async (one, two) => {
      let head = thread;
      for (let n = 0; n < 12; n += 1) {
        const [writer, reader] = n % 2 === 0 ? [one, two] : [two, one];
        head = await put(writer, head, n, { values: { list: Array.from({ length: n + 1 }, (_, k) => `element ${k}`) } });
        await writer.putWrites(head, [["delta", n]], "task");
        expect(await valuesAt(reader, thread)).toStrictEqual({ list: Array.from({ length: n + 1 }, (_, k) => `element ${k}`) });
        expect((await tupleAt(reader, head)).pendingWrites).toStrictEqual([["task", "delta", n]]);
        expect(await writesOf(reader, head, "delta")).toStrictEqual(Array.from({ length: n }, (_, k) => k));
      }
    }));

  it("keep apart what both append to one branch at the same time", () =>
    withPair(left, right, async (one, two) => {
      const root = await put(one, thread, 0, { values: { list: ["root"] } });
      await valuesAt(two, root);
      const puts = Array.from({ length: 20 }, (_, n) => {
        const saver = n % 2 === 0 ? one : two;
        return put(saver, root, n + 1, { values: { list: ["root", `by ${n % 2}`, `number ${n}`] } });
      });
      await Promise.all(puts);
      for (let n = 0; n < 20; n += 1) {
        for (const reader of [one, two]) {
          expect(await valuesAt(reader, at("thread", "", n + 1))).toStrictEqual({ list: ["root", `by ${n % 2}`, `number ${n}`] });
        }
      }
      expect(await listedIds(one, thread)).toHaveLength(21);
    }));

  it("grow one thread's list together, each on what the other left", () =>
    withPair(left, right, async (one, two) => {
      let head = thread;
      const list: string[] = [];
      for (let n = 0; n < 60; n += 1) {
        list.push(`element ${n} ${"x".repeat(n % 7 === 0 ? 9_000 : 20)}`);
        head = await put(n % 3 === 0 ? one : two, head, n, { values: { list: [...list] } });
      }
      for (const reader of [one, two]) {
        for (const n of [0, 29, 59]) expect(await valuesAt(reader, at("thread", "", n))).toStrictEqual({ list: list.slice(0, n + 1) });
      }
    }));

  it("agree on writes to the same task: the first that came", () =>
    withPair(left, right, async (one, two) => {
      const config = await put(one, thread, 1);
      await Promise.all([one.putWrites(config, [["a", "one"]], "task"), two.putWrites(config, [["a", "two"]], "task")]);
      const [fromOne, fromTwo] = [await tupleAt(one, config), await tupleAt(two, config)];
      expect(fromOne.pendingWrites).toStrictEqual(fromTwo.pendingWrites);
      expect(fromOne.pendingWrites).toHaveLength(1);
    }));

  it("notice that the other deleted a thread, and made it anew", () =>
    withPair(left, right, async (one, two) => {
      const values = { values: { list: ["a", "b", "c"] } };
      const root = await put(one, thread, 1, values);
      await put(two, root, 2, values);
      await one.deleteThread("thread");
      expect(await two.getTuple(root)).toBeUndefined();
      await put(two, thread, 3, { values: { list: ["c", "b", "a"] } });
      expect(await valuesAt(one, thread)).toStrictEqual({ list: ["c", "b", "a"] });
      await put(one, at("thread", "", 3), 4, values);
      expect(await valuesAt(two, thread)).toStrictEqual(values.values);
      expect(await listedIds(two, thread)).toStrictEqual([checkpointId(4), checkpointId(3)]);
    }));

  it("notice that the other put a checkpoint again", () =>
    withPair(left, right, async (one, two) => {
      const root = await put(one, thread, 1, { values: { list: ["first"] } });
      const child = await put(two, root, 2, { values: { list: ["first", "second"] } });
      expect(await valuesAt(one, child)).toStrictEqual({ list: ["first", "second"] });
      await put(one, thread, 1, { values: { list: ["again"] } });
      expect(await valuesAt(two, root)).toStrictEqual({ list: ["again"] });
      expect(await valuesAt(two, child)).toStrictEqual({ list: ["first", "second"] });
      await put(two, thread, 2, { values: { other: true } });
      expect(await valuesAt(one, child)).toStrictEqual({ other: true });
      expect((await tupleAt(one, child)).parentConfig).toBeUndefined();
    }));
});
