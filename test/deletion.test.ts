import { expect } from "vitest";
import { at, checkpointId, listed, listedIds, put, valuesAt, writesOf } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";
import { readRows, textOf } from "./support/raw-database.ts";

contract("deleteThread", (it) => {
  const fill = async (saver: Parameters<typeof put>[0], threadId: string) => {
    for (const namespace of ["", "child", "child|grandchild"]) {
      let head = at(threadId, namespace);
      for (let n = 1; n <= 5; n += 1) {
        head = await put(saver, head, n, { values: { items: Array.from({ length: 20 }, (_, k) => `${threadId} ${namespace} ${k}`), n } });
        await saver.putWrites(head, [["delta", n], ["items", "x".repeat(5_000)]], `task of ${threadId}`);
      }
      await put(saver, at(threadId, namespace, 2), 6, { values: { items: ["fork"] } });
      await saver.putWrites(at(threadId, namespace, 99), [["items", "of a checkpoint that never came"]], "task");
    }
  };

  it("leaves no row of the thread in any store, child namespaces and writes included", async ({ saver, database }) => {
    await put(saver, at("kept"), 1);
    const before = await readRows(database);
    await fill(saver, "doomed");
    const between = await readRows(database);
    expect(between.length - before.length).toBeGreaterThan(30);
    expect(textOf(between)).toContain("doomed");

    await saver.deleteThread("doomed");
    const after = await readRows(database);
    expect(textOf(after)).not.toContain("doomed");
    expect(after.map(({ store, key }) => [store, key])).toStrictEqual(before.map(({ store, key }) => [store, key]));
    expect(await saver.getTuple(at("doomed"))).toBeUndefined();
    expect(await saver.getTuple(at("doomed", "child", 3))).toBeUndefined();
    expect(await listedIds(saver, { configurable: { thread_id: "doomed" } })).toStrictEqual([]);
    expect(await writesOf(saver, at("doomed", "", 5), "delta")).toStrictEqual([]);
  });

  it("leaves other threads as they were, whatever their names", async ({ saver, reopen }) => {
    const others = ["doomed2", "doome", "doomed ", "Doomed", "doomed|child", "a", "z"];
    for (const other of others) await fill(saver, other);
    const before = await listed(saver, {});
    await fill(saver, "doomed");
    await saver.deleteThread("doomed");

    expect(before).toHaveLength(others.length * 3 * 6);
    expect(await listed(saver, {})).toStrictEqual(before);
    expect(await listed(await reopen(), {})).toStrictEqual(before);
  });

  it("gives back the thread's name: what is put afterwards starts anew", async ({ saver, reopen }) => {
    const root = await put(saver, at("thread"), 1, { values: { items: ["old"] }, versions: { items: 1 } });
    await saver.putWrites(root, [["delta", "old"]], "task");
    await put(saver, root, 2, { values: { items: ["old"] }, versions: { items: 1 }, newVersions: {} });
    await saver.deleteThread("thread");

    const child = await put(saver, at("thread", "", 1), 3, { values: { items: ["old"] }, versions: { items: 1 }, newVersions: {} });
    const fresh = await put(saver, child, 4, { values: { items: ["new", "old"] }, versions: { items: 2 } });
    const state = async (reader: typeof saver) => [
      await valuesAt(reader, child),
      await writesOf(reader, child, "delta"),
      await valuesAt(reader, fresh),
      await listedIds(reader, at("thread")),
    ];
    const expected = [{}, [], { items: ["new", "old"] }, [checkpointId(4), checkpointId(3)]];
    expect(await state(saver)).toStrictEqual(expected);
    expect(await state(await reopen())).toStrictEqual(expected);
  });

  it("of a thread that is not there does nothing", async ({ saver }) => {
    await put(saver, at("thread"), 1);
    await saver.deleteThread("no such thread");
    await saver.deleteThread("no such thread");
    expect(await listedIds(saver, {})).toStrictEqual([checkpointId(1)]);
  });

  it("comes after the puts that were called before it, and before those called after", async ({ saver, database }) => {
    const before = Array.from({ length: 10 }, (_, n) => put(saver, at("thread"), n, { values: { items: [n] } }));
    const deletion = saver.deleteThread("thread");
    const after = put(saver, at("thread"), 20, { values: { items: ["after"] } });
    await Promise.all([...before, deletion, after]);

    expect(await listedIds(saver, at("thread"))).toStrictEqual([checkpointId(20)]);
    expect(await valuesAt(saver, at("thread"))).toStrictEqual({ items: ["after"] });
    expect((await readRows(database)).filter(({ store }) => store === "checkpoints")).toHaveLength(1);
  });

  it("is seen by another saver on the same database that had read the thread", async ({ saver, open }) => {
    const other = open();
    const root = await put(saver, at("thread"), 1, { values: { items: ["a", "b"] }, versions: { items: 1 } });
    expect(await valuesAt(other, root)).toStrictEqual({ items: ["a", "b"] });
    await saver.deleteThread("thread");
    expect(await other.getTuple(root)).toBeUndefined();
    const again = await put(other, at("thread"), 2, { values: { items: ["a", "b", "c"] }, versions: { items: 2 } });
    expect(await valuesAt(other, again)).toStrictEqual({ items: ["a", "b", "c"] });
    expect(await valuesAt(saver, again)).toStrictEqual({ items: ["a", "b", "c"] });
  });
});
