import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { expect } from "vitest";
import { type ArchiveRecord, inspect, readArchive } from "../../src/archive/index.ts";
import type { IndexedDBSaver } from "../../src/index.ts";
import { at, checkpointId, historyOf, listedIds, put, writesOf } from "../support/checkpoints.ts";
import { contract } from "../support/contract.ts";
import { difference } from "../support/difference.ts";
import { errorOf } from "../support/errors.ts";
import { readRows } from "../support/raw-database.ts";

const said = (n: number): string => `what was said in step ${n}, and longer than what stays in a row`;

/** Steps of a delta channel that only the first checkpoint stores in full. */
async function goOn(saver: IndexedDBSaver, thread: string, from: number, first: number, last: number, text = said): Promise<void> {
  let head = at(thread, "", from === 0 ? undefined : from);
  for (let n = first; n <= last; n++) {
    head = await put(saver, head, n, n === 1 ? { values: { log: new DeltaSnapshot([said(0)]) } } : { versions: { log: n }, newVersions: {} });
    await saver.putWrites(head, [["log", [text(n)]]], `task ${n}`);
  }
}

const upTo = (count: number): string[][] => Array.from({ length: count }, (_, index) => [said(index + 1)]);

const fileOf = (saver: IndexedDBSaver, thread: string): Promise<Blob> => new Response(saver.threads.export({ threads: [thread] })).blob();

const prune = (saver: IndexedDBSaver, thread: string, keepLast: number): Promise<unknown> => saver.threads.prune({ threads: [thread], keepLast, keepTips: false });

async function requireClean(saver: IndexedDBSaver): Promise<void> {
  expect((await saver.verify()).problems).toStrictEqual([]);
}

contract("A pruned thread in a file", (it) => {
  it("keeps its history, also when it is copied, pruned again and gone on with", async ({ saver, reopen }) => {
    await goOn(saver, "a", 0, 1, 6);
    await prune(saver, "a", 2);
    await saver.threads.import(await fileOf(saver, "a"), { mode: "new-id", ids: { a: "b" } });
    await saver.copyThread("b", "c");
    for (const thread of ["b", "c"]) {
      await prune(saver, thread, 1);
      await goOn(saver, thread, 6, 7, 8);
      expect(await writesOf(saver, at(thread), "log")).toStrictEqual(upTo(7));
    }
    const cold = await reopen();
    for (const thread of ["b", "c"]) {
      const { seed, writes } = await historyOf(cold, at(thread), "log");
      expect(seed).toStrictEqual(new DeltaSnapshot([said(0)]));
      expect(writes.map(([, , value]) => value)).toStrictEqual(upTo(7));
    }
    await requireClean(cold);
  });

  it("is one that import changes nothing of", async ({ saver, database }) => {
    await goOn(saver, "a", 0, 1, 6);
    await prune(saver, "a", 2);
    const file = await fileOf(saver, "a");
    const before = await readRows(database);
    expect((await saver.threads.import(file)).threads).toMatchObject([{ outcome: "unchanged" }]);
    expect(difference(await readRows(database), before)).toBeUndefined();
    await saver.deleteThread("a");
    await saver.threads.import(file);
    const again = await readRows(database);
    expect((await saver.threads.import(file)).threads).toMatchObject([{ outcome: "unchanged" }]);
    expect(difference(await readRows(database), again)).toBeUndefined();
  });

  it("with a long history has it in many records", async ({ saver }) => {
    await goOn(saver, "a", 0, 1, 300);
    await prune(saver, "a", 1);
    const file = await fileOf(saver, "a");
    const pasts: ArchiveRecord[] = [];
    for await (const record of readArchive(file)) if (record.kind === "past") pasts.push(record);
    expect(pasts).toHaveLength(2); // The seed and 256 steps, and 43.
    expect((await inspect(file)).threads[0]!.namespaces[0]).toMatchObject({ checkpoints: 1, branches: 1, writes: 1, pasts: 1, elements: 301 });
    await saver.threads.import(file, { mode: "new-id", ids: { a: "b" } });
    expect(await writesOf(saver, at("b"), "log")).toStrictEqual(upTo(299));
    await requireClean(saver);
  });

  it("has content once that two of its branches stored", async ({ saver }) => {
    await goOn(saver, "a", 0, 1, 4, () => said(9));
    await goOn(saver, "a", 3, 5, 6, () => said(9));
    await prune(saver, "a", 1);
    await saver.threads.import(await fileOf(saver, "a"), { mode: "new-id", ids: { a: "b" } });
    expect(await writesOf(saver, at("b"), "log")).toStrictEqual(Array.from({ length: 4 }, () => [said(9)]));
    await requireClean(saver);
  });

  it("is merged checkpoint by checkpoint: what is there keeps its own history, what is new brings its own", async ({ saver, database }) => {
    await goOn(saver, "a", 0, 1, 3);
    const start = await fileOf(saver, "a");
    await goOn(saver, "a", 3, 4, 6);
    const whole = await fileOf(saver, "a");
    await prune(saver, "a", 2);
    const pruned = await fileOf(saver, "a");
    await saver.threads.import(start, { mode: "replace" });
    await saver.putWrites(at("a", "", 3), [["log", ["another"]]], "task 9");
    expect((await saver.threads.import(pruned)).threads).toMatchObject([{ outcome: "merged", checkpoints: 2 }]);
    expect(await listedIds(saver, at("a"))).toStrictEqual([6, 5, 3, 2, 1].map(checkpointId));
    expect((await saver.threads.import(whole)).threads).toMatchObject([{ outcome: "merged", checkpoints: 1 }]);
    expect(await writesOf(saver, at("a", "", 4), "log")).toStrictEqual([...upTo(3), ["another"]]);
    for (const n of [5, 6]) expect(await writesOf(saver, at("a", "", n), "log")).toStrictEqual(upTo(n - 1));
    expect((await readRows(database)).filter(({ store }) => store === "pasts")).toHaveLength(1);
    await requireClean(saver);
    for (const file of [start, whole, pruned]) expect((await saver.threads.import(file)).threads).toMatchObject([{ outcome: "unchanged" }]);
  });

  it("takes the place of one with a history, of which nothing is left but its pin", async ({ saver, database }) => {
    await goOn(saver, "a", 0, 1, 3);
    const file = await fileOf(saver, "a");
    await goOn(saver, "a", 3, 4, 6);
    await prune(saver, "a", 1);
    await saver.threads.update("a", { pinned: true });
    const pinned = await fileOf(saver, "a");
    await saver.threads.import(file, { mode: "replace" });
    expect(await saver.threads.get("a")).toMatchObject({ pinned: true, checkpoints: 3 });
    expect((await readRows(database)).filter(({ store }) => store === "pasts")).toStrictEqual([]);
    await saver.threads.import(pinned);
    expect(await saver.threads.get("a")).toMatchObject({ pinned: true, checkpoints: 4 });
    await saver.threads.import(pinned, { mode: "new-id", ids: { a: "b" } });
    expect(await saver.threads.get("b")).toMatchObject({ pinned: false });
    await requireClean(saver);
  });
});

contract("An export", (it) => {
  it("of a thread that is pruned meanwhile fails", async ({ saver }) => {
    let parent = at("a");
    for (let n = 1; n <= 40; n++) parent = await put(saver, parent, n, { values: { noise: crypto.getRandomValues(new Uint8Array(60_000)) } });
    const reader = saver.threads.export().getReader();
    await reader.read();
    await prune(saver, "a", 1);
    const error = await errorOf(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    );
    expect(error.code).toBe("thread-changed");
  });
});
