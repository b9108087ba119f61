import { expect } from "vitest";
import { at, checkpointId, listedIds, put, valuesAt } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";
import { errorOf } from "./support/errors.ts";
import { databaseVersion, deleteDatabase } from "./support/raw-database.ts";

const thread = at("thread");

contract("A saver", (it) => {
  it("touches nothing until it is used", async ({ open, database }) => {
    const saver = open();
    await Promise.resolve();
    expect(await databaseVersion(database)).toBeUndefined();
    expect(JSON.stringify(saver)).toContain("IndexedDBSaver");
    await saver.close();
    expect(await databaseVersion(database)).toBeUndefined();
  });

  it("is complete again after it was closed and another was opened", async ({ saver, reopen }) => {
    const config = await put(saver, thread, 1, { values: { list: ["a", "b"] } });
    await saver.putWrites(config, [["list", "c"]], "task");
    const again = await reopen();
    expect(await valuesAt(again, thread)).toStrictEqual({ list: ["a", "b"] });
    expect((await again.getTuple(thread))?.pendingWrites).toStrictEqual([["task", "list", "c"]]);
  });

  it("rejects every call after it was closed, with the code closed", async ({ saver }) => {
    await put(saver, thread, 1);
    await saver.close();
    const calls = [
      () => put(saver, thread, 2),
      () => saver.putWrites(at("thread", "", 1), [["a", 1]], "task"),
      () => saver.getTuple(thread),
      () => listedIds(saver, thread),
      () => saver.getDeltaChannelHistory({ config: thread, channels: ["a"] }),
      () => saver.deleteThread("thread"),
    ];
    for (const call of calls) expect((await errorOf(call())).code).toBe("closed");
  });

  it("may be closed twice, at once, and without ever having been used", async ({ open }) => {
    const used = open();
    await put(used, thread, 1);
    await Promise.all([used.close(), used.close()]);
    await used.close();
    await open().close();
  });

  it("can be disposed of", async ({ saver }) => {
    {
      await using disposed = saver;
      await put(disposed, thread, 1);
    }
    expect((await errorOf(saver.getTuple(thread))).code).toBe("closed");
  });

  it("stores everything it was given before it closes", async ({ saver, reopen }) => {
    const stored = Array.from({ length: 40 }, (_, n) => put(saver, at("thread", "", n - 1), n, { values: { list: [n] } }));
    const written = Array.from({ length: 40 }, (_, n) => saver.putWrites(at("thread", "", n), [["list", n]], "task"));
    const outcomes = Promise.allSettled([...stored, ...written, saver.getTuple(thread)]);
    const again = await reopen();
    expect((await outcomes).filter(({ status }) => status === "rejected")).toStrictEqual([]);
    expect(await listedIds(again, thread)).toStrictEqual(Array.from({ length: 40 }, (_, index) => checkpointId(39 - index)));
    expect((await again.getTuple(at("thread", "", 17)))?.pendingWrites).toStrictEqual([["task", "list", 17]]);
  });

  it("can be made, dropped and made again while the first is still at work, as React's strict mode does", async ({ open }) => {
    const first = open();
    const put1 = put(first, thread, 1, { values: { list: ["a"] } });
    const closed = first.close();
    const second = open();
    const put2 = put(second, at("thread", "", 1), 2, { values: { list: ["a", "b"] } });
    expect((await Promise.allSettled([put1, closed, put2])).map(({ status }) => status)).toStrictEqual(["fulfilled", "fulfilled", "fulfilled"]);
    expect(await valuesAt(second, thread)).toStrictEqual({ list: ["a", "b"] });
    expect(await listedIds(second, thread)).toStrictEqual([checkpointId(2), checkpointId(1)]);
  });

  it("can be made and dropped many times", async ({ open, database }) => {
    for (let n = 0; n < 15; n += 1) {
      const saver = open();
      await put(saver, thread, n, { values: { n } });
      if (n % 3 === 0) void open().getTuple(thread).catch(() => undefined);
      await saver.close();
    }
    expect(await databaseVersion(database)).toBeDefined();
    expect(await listedIds(open(), thread)).toHaveLength(15);
  });

  it("lets go of the database when another wants to delete or upgrade it", async ({ saver, database }) => {
    await put(saver, thread, 1);
    await deleteDatabase(database);
    expect(await databaseVersion(database)).toBeUndefined();
  });

  it("shares a name with another saver: closing one leaves the other at work", async ({ open }) => {
    const [one, two] = [open(), open()];
    await put(one, thread, 1, { values: { list: ["a"] } });
    await put(two, at("thread", "", 1), 2, { values: { list: ["a", "b"] } });
    expect(await valuesAt(one, thread)).toStrictEqual({ list: ["a", "b"] });
    await one.close();
    await put(two, at("thread", "", 2), 3, { values: { list: ["a", "b", "c"] } });
    expect(await valuesAt(two, thread)).toStrictEqual({ list: ["a", "b", "c"] });
    expect((await errorOf(one.getTuple(thread))).code).toBe("closed");
  });

  it("may be closed at the same time as one of another name, with all it was given stored", async ({ saver, open, database }) => {
    const other = open({ name: `${database} other` });
    const puts = [put(saver, at("thread"), 1), put(other, at("thread"), 1)];
    const closed = [saver.close(), other.close()];
    expect((await Promise.allSettled([...puts, ...closed])).map(({ status }) => status)).toStrictEqual(Array.from({ length: 4 }, () => "fulfilled"));
    await deleteDatabase(`${database} other`);
  });

  it("has stored what it was given when close resolves, though another still uses the database", async ({ saver, open }) => {
    const other = open();
    const stored: number[] = [];
    for (let n = 1; n <= 20; n += 1) void put(saver, at("thread"), n).then(() => stored.push(n));
    await saver.close();
    expect(stored).toHaveLength(20);
    expect(await listedIds(other, at("thread"))).toHaveLength(20);
  });

  it("keeps databases of different names apart", async ({ open, database }) => {
    const other = `${database} (other)`;
    const [one, two] = [open(), open({ name: other })];
    await put(one, thread, 1, { values: { of: "one" } });
    await put(two, thread, 2, { values: { of: "two" } });
    expect(await listedIds(one, {})).toStrictEqual([checkpointId(1)]);
    expect(await listedIds(two, {})).toStrictEqual([checkpointId(2)]);
    await two.close();
    await deleteDatabase(other);
    expect(await valuesAt(one, thread)).toStrictEqual({ of: "one" });
  });

  it("may ask for the disk", async ({ open }) => {
    const saver = open({ durability: "strict" });
    await put(saver, thread, 1, { values: { a: 1 } });
    expect(await valuesAt(saver, thread)).toStrictEqual({ a: 1 });
  });
});
