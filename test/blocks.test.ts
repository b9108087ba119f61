import { expect } from "vitest";
import { at, checkpoint, checkpointId, historyOf, listedIds, metadataOf, put, tupleAt, valuesAt, writesOf } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";
import { readRows } from "./support/raw-database.ts";

type Saver = Parameters<typeof put>[0];

const text = (n: number) => `what step ${n} wrote, and it wrote more than a few words of it`;

/** Checkpoints 1 to `count` in a row, each with the write of one task. */
async function chain(saver: Saver, count: number): Promise<void> {
  let head = at("thread");
  for (let n = 1; n <= count; n += 1) {
    head = await put(saver, head, n, n === 1 ? { values: { log: [] } } : { versions: { log: n }, newVersions: {} });
    await saver.putWrites(head, [["log", [text(n)]], ["other", n]], `task ${n}`, `path ${n % 3}`);
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => [text(index + 1)]);

contract("The writes of a long branch", (it) => {
  it("are packed once they are well in the past, and read the same as before", async ({ saver, reopen, database }) => {
    await chain(saver, 200);
    expect(await writesOf(saver, at("thread", "", 200), "log")).toStrictEqual(upTo(199));
    const cold = await reopen();
    expect(await writesOf(cold, at("thread", "", 200), "log")).toStrictEqual(upTo(199));
    expect(await writesOf(cold, at("thread", "", 50), "log")).toStrictEqual(upTo(49));
    expect((await historyOf(cold, at("thread"), "log")).writes.at(40)).toStrictEqual(["task 41", "log", [text(41)]]);
    expect((await tupleAt(cold, at("thread", "", 40))).pendingWrites).toStrictEqual([["task 40", "log", [text(40)]], ["task 40", "other", 40]]);

    const rows = await readRows(database);
    const rowsOf = (store: string) => rows.filter((row) => row.store === store).length;
    expect(rowsOf("blocks")).toBe(5);
    expect(rowsOf("writes")).toBe(200 - 5 * 32);
  });

  it("are still written one by one: of regular writes the first stays, of special ones the last", async ({ saver, reopen }) => {
    await chain(saver, 100);
    const early = at("thread", "", 10);
    const cold = await reopen();
    await cold.putWrites(early, [["log", ["never"]], ["other", "never"], ["third", "new"]], "task 10", "path 1");
    await cold.putWrites(early, [["__interrupt__", "first"]], "task 10", "path 1");
    await cold.putWrites(early, [["log", ["another task"]]], "a task more", "path 0");
    for (const next of [() => cold, reopen]) {
      const reader = await next();
      await reader.putWrites(early, [["__interrupt__", "last"]], "task 10", "path 1");
      expect((await tupleAt(reader, early)).pendingWrites).toStrictEqual([
        ["a task more", "log", ["another task"]],
        ["task 10", "__interrupt__", "last"],
        ["task 10", "log", [text(10)]],
        ["task 10", "other", 10],
        ["task 10", "third", "new"],
      ]);
      const history = await writesOf(reader, at("thread", "", 12), "log");
      expect(history).toStrictEqual([...upTo(9), ["another task"], [text(10)], [text(11)]]);
    }
  });

  it("go along with a checkpoint that is put again under another parent, and stay with the others", async ({ saver, reopen }) => {
    await chain(saver, 120);
    const moving = checkpoint(20, { versions: { log: 20 } });
    await saver.put(at("thread", "", 5), moving, metadataOf(20), {});
    for (const next of [() => saver, reopen]) {
      const reader = await next();
      expect(await writesOf(reader, at("thread", "", 20), "log")).toStrictEqual(upTo(5));
      expect((await tupleAt(reader, at("thread", "", 20))).pendingWrites).toHaveLength(2);
      expect(await writesOf(reader, at("thread", "", 30), "log")).toStrictEqual([...upTo(5), ...upTo(29).slice(19)]);
      expect(await writesOf(reader, at("thread", "", 19), "log")).toStrictEqual(upTo(18));
    }
  });

  it("are read from the nearest stored value on, also one that a checkpoint put again has now", async ({ saver, reopen }) => {
    await chain(saver, 100);
    await put(saver, at("thread", "", 39), 40, { values: { log: ["a seed"] } });
    for (const next of [() => saver, reopen]) {
      const reader = await next();
      const history = await historyOf(reader, at("thread", "", 90), "log");
      expect(history.seed).toStrictEqual(["a seed"]);
      expect(history.writes.map(([, , value]) => value)).toStrictEqual(upTo(89).slice(39));
    }
    const again = await reopen();
    await put(again, at("thread", "", 39), 40, { versions: { log: 41 } });
    for (const next of [() => again, reopen]) {
      const reader = await next();
      expect(await historyOf(reader, at("thread", "", 90), "log")).toMatchObject({ seed: [] });
      expect(await writesOf(reader, at("thread", "", 90), "log")).toStrictEqual(upTo(89));
    }
  });
});

contract("Writes that came before their checkpoint, and before a reload", (it) => {
  it("are there when it comes, whatever is put before it, and stay", async ({ saver, reopen }) => {
    const head = await put(saver, at("thread"), 1, { values: { log: [] } });
    const early = at("thread", "", 30);
    await saver.putWrites(early, [["log", ["first"]]], "task");
    await saver.putWrites(at("thread", "", 29), [["log", ["between"]]], "task");
    const later = await reopen();
    let parent = head;
    for (let n = 2; n <= 28; n += 1) {
      parent = await put(later, parent, n, { versions: { log: n } });
      await later.putWrites(parent, [["log", [n]]], "task");
    }
    for (const n of [29, 30]) {
      parent = await put(later, parent, n, { versions: { log: n } });
      await later.putWrites(parent, [["log", ["too late"]]], "task");
      await later.putWrites(parent, [["log", ["another"]]], "task 2");
    }
    const end = await put(later, parent, 31, { versions: { log: 31 } });
    const expected = [...Array.from({ length: 27 }, (_, index) => [index + 2]), ["between"], ["another"], ["first"], ["another"]];
    for (const next of [() => later, reopen]) {
      const reader = await next();
      expect((await tupleAt(reader, early)).pendingWrites).toStrictEqual([["task", "log", ["first"]], ["task 2", "log", ["another"]]]);
      expect(await writesOf(reader, end, "log")).toStrictEqual(expected);
    }
  });
});

contract("Ids that are UUIDs and ids that are not", (it) => {
  it("are in one order, and below each other", async ({ saver, reopen }) => {
    const ids = ["", "0", "1efffff", checkpointId(1), checkpointId(2), `${checkpointId(2)} `, checkpointId(2).toUpperCase(), "2", "z", "\u{ffff}"].filter(Boolean);
    const sorted = ids.toSorted().toReversed();
    for (const id of ids) await saver.put(at("thread"), { ...checkpoint(1, { values: { id } }), id }, metadataOf(1), { id: 1 });
    for (const next of [() => saver, reopen]) {
      const reader = await next();
      expect(await listedIds(reader, at("thread"))).toStrictEqual(sorted);
      expect((await tupleAt(reader, at("thread"))).checkpoint.id).toBe(sorted[0]);
      for (const [index, id] of sorted.entries()) {
        const before = { configurable: { thread_id: "thread", checkpoint_ns: "", checkpoint_id: id } };
        expect(await listedIds(reader, at("thread"), { before })).toStrictEqual(sorted.slice(index + 1));
        expect(await listedIds(reader, at("thread"), { before, limit: 2 })).toStrictEqual(sorted.slice(index + 1, index + 3));
        expect(await valuesAt(reader, before)).toStrictEqual({ id });
      }
    }
  });
});
