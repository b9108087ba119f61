import { ERROR, INTERRUPT, RESUME, SCHEDULED } from "@langchain/langgraph-checkpoint";
import { expect } from "vitest";
import { at, listed, put, tupleAt } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";

const thread = at("thread");

contract("Pending writes", (it) => {
  it("may come before the checkpoint they belong to", async ({ saver }) => {
    const config = at("thread", "", 1);
    await saver.putWrites(config, [["items", "early"]], "task");
    expect(await saver.getTuple(config)).toBeUndefined();

    await put(saver, thread, 1);
    expect((await tupleAt(saver, config)).pendingWrites).toStrictEqual([["task", "items", "early"]]);
  });

  it("outlive a second put of their checkpoint", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [["items", "kept"]], "task");
    await put(saver, thread, 1, { values: { title: "again" } });
    expect((await tupleAt(saver, config)).pendingWrites).toStrictEqual([["task", "items", "kept"]]);
  });

  it("are an empty list where there are none", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [], "task");
    expect((await tupleAt(saver, config)).pendingWrites).toStrictEqual([]);
  });

  it("come back the same from list as from getTuple", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [["a", 1], [INTERRUPT, "?"]], "task-z", "path b");
    await saver.putWrites(config, [["a", 2]], "task-a", "path c");
    const tuple = await tupleAt(saver, config);
    expect(await listed(saver, thread)).toStrictEqual([tuple]);
    expect(tuple.pendingWrites).toHaveLength(3);
  });

  it("may hold undefined", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [["a", undefined], ["b", null]], "task");
    expect((await tupleAt(saver, config)).pendingWrites).toStrictEqual([["task", "a", undefined], ["task", "b", null]]);
  });

  it("may go to one channel several times in a batch", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [["a", 1], ["a", 2], ["b", 3], ["a", 4]], "task");
    expect((await tupleAt(saver, config)).pendingWrites?.map(([, channel, value]) => [channel, value])).toStrictEqual([["a", 1], ["a", 2], ["b", 3], ["a", 4]]);
  });

  it("of fifty tasks at once are fifty", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    const tasks = Array.from({ length: 50 }, (_, n) => `task-${String(n).padStart(2, "0")}`);
    await Promise.all(tasks.toReversed().map((task) => saver.putWrites(config, [["items", task]], task)));
    expect((await tupleAt(saver, config)).pendingWrites).toStrictEqual(tasks.map((task) => [task, "items", task]));
  });

  it("belong to one checkpoint of one namespace of one thread", async ({ saver }) => {
    const places = [at("thread", "", 1), at("thread", "", 2), at("thread", "child", 1), at("other", "", 1)];
    for (const place of places) await saver.putWrites(place, [["items", place]], "task");
    for (const [threadId, namespace, n] of [["thread", "", 1], ["thread", "", 2], ["thread", "child", 1], ["other", "", 1]] as const) {
      const config = await put(saver, at(threadId, namespace), n);
      expect((await tupleAt(saver, config)).pendingWrites).toStrictEqual([["task", "items", at(threadId, namespace, n)]]);
    }
  });
});

contract("A write", (it) => {
  it("is first come, first kept, for a regular channel", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [["a", "first"]], "task");
    await saver.putWrites(config, [["a", "second"]], "task");
    expect((await tupleAt(saver, config)).pendingWrites).toStrictEqual([["task", "a", "first"]]);
  });

  it("is decided by its position, not by its channel", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [["a", 1]], "task");
    await saver.putWrites(config, [["b", 2], ["c", 3]], "task");
    expect((await tupleAt(saver, config)).pendingWrites).toStrictEqual([["task", "a", 1], ["task", "c", 3]]);
  });

  it.for([ERROR, SCHEDULED, INTERRUPT, RESUME])("to %s is replaced by a later one", async (special, { saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [[special, "first"]], "task");
    await saver.putWrites(config, [[special, "second"]], "task");
    expect((await tupleAt(saver, config)).pendingWrites).toStrictEqual([["task", special, "second"]]);
  });

  it("is decided on its own: one call may keep a regular row and replace a special one", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [["foo", 1], [RESUME, "a"]], "task");
    await saver.putWrites(config, [["foo", 2], [RESUME, "b"]], "task");
    expect((await tupleAt(saver, config)).pendingWrites).toStrictEqual([["task", RESUME, "b"], ["task", "foo", 1]]);
  });

  it("to a special channel stands beside the regular ones of its task", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [["foo", 1]], "task");
    await saver.putWrites(config, [[INTERRUPT, { value: "?" }]], "task");
    expect((await tupleAt(saver, config)).pendingWrites).toStrictEqual([["task", INTERRUPT, { value: "?" }], ["task", "foo", 1]]);
  });

  it("to a special channel twice in one batch is the last of them", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [[RESUME, "a"], [RESUME, "b"]], "task");
    expect((await tupleAt(saver, config)).pendingWrites).toStrictEqual([["task", RESUME, "b"]]);
  });

  it.for(["toString", "constructor", "hasOwnProperty", "valueOf", "__proto__"])("to a channel called %s is a regular one", async (channel, { saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [["a", 0], [channel, "first"]], "task");
    await saver.putWrites(config, [["a", 1], [channel, "second"], ["c", 2]], "task");
    expect((await tupleAt(saver, config)).pendingWrites).toStrictEqual([["task", "a", 0], ["task", channel, "first"], ["task", "c", 2]]);
  });

  it("of another task is another write", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [["a", 1]], "task-1");
    await saver.putWrites(config, [["a", 2]], "task-2");
    await saver.putWrites(config, [["a", 3]], "task-1,0");
    expect((await tupleAt(saver, config)).pendingWrites).toStrictEqual([["task-1", "a", 1], ["task-1,0", "a", 3], ["task-2", "a", 2]]);
  });
});

contract("The order of writes", (it) => {
  it("is by task id where there is no path", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [["items", "z"]], "task-z");
    await saver.putWrites(config, [["items", "a"]], "task-a");
    expect((await tupleAt(saver, config)).pendingWrites?.map(([task]) => task)).toStrictEqual(["task-a", "task-z"]);
  });

  it("is by task path first, and writes without one come before all others", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [["items", 3]], "task-a", "~__pregel_pull, b");
    await saver.putWrites(config, [["items", 2]], "task-c", "~__pregel_pull, a");
    await saver.putWrites(config, [["items", 1]], "task-d");
    expect((await tupleAt(saver, config)).pendingWrites?.map(([, , value]) => value)).toStrictEqual([1, 2, 3]);
  });

  it("is numeric by index, special ones first", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    const many = Array.from({ length: 12 }, (_, n): [string, unknown] => ["items", n]);
    await saver.putWrites(config, [...many, [RESUME, "resume"], [ERROR, "error"]], "task");
    expect((await tupleAt(saver, config)).pendingWrites?.map(([, , value]) => value)).toStrictEqual(["resume", "error", ...many.map(([, n]) => n)]);
  });

  it("is by code point, not by UTF-16 unit", async ({ saver }) => {
    const privateUse = "\u{e000}";
    const astral = "\u{1f600}"; // first unit d83d, so it sorts before e000 by unit
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [["items", 4]], "task-a", astral);
    await saver.putWrites(config, [["items", 3]], "task-b", privateUse);
    await saver.putWrites(config, [["items", 2]], astral, "a");
    await saver.putWrites(config, [["items", 1]], privateUse, "a");
    expect((await tupleAt(saver, config)).pendingWrites?.map(([, , value]) => value)).toStrictEqual([1, 2, 3, 4]);
  });

  it("keeps each row's own path when a task writes again under another", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    await saver.putWrites(config, [["items", "late path"]], "task", "z");
    await saver.putWrites(config, [["items", "ignored"], ["items", "early path"]], "task", "a");
    await saver.putWrites(config, [["items", "between"]], "other", "m");
    expect((await tupleAt(saver, config)).pendingWrites?.map(([, , value]) => value)).toStrictEqual(["early path", "between", "late path"]);
  });
});
