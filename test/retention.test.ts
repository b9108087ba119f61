import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { expect } from "vitest";
import type { IndexedDBSaver } from "../src/index.ts";
import { at, checkpointId, historyOf, listed, listedIds, put, tupleAt, valuesAt, writesOf } from "./support/checkpoints.ts";
import { contract, databaseTest } from "./support/contract.ts";
import { errorOf } from "./support/errors.ts";
import { ownWorker } from "./support/own-worker.ts";
import { bytesOf, deleteRow, readRows, textOf, writeRow } from "./support/raw-database.ts";

const text = (n: number): string => `what was written in step ${n}, and then some more of it`;

/** Checkpoints in a row, the first with a snapshot of the delta channel, each with a write to it. */
async function chain(saver: IndexedDBSaver, thread: string, count: number, namespace = ""): Promise<void> {
  let head = at(thread, namespace);
  for (let n = 1; n <= count; n += 1) {
    const metadata = { run_id: `run ${Math.ceil(n / 3)}` };
    head = await put(saver, head, n, n === 1 ? { values: { log: new DeltaSnapshot(["seed"]) }, metadata } : { versions: { log: n }, newVersions: {}, metadata });
    await saver.putWrites(head, [["log", [text(n)]]], `task ${n}`);
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => [text(index + 1)]);

const ids = (...numbers: number[]) => numbers.map(checkpointId);

contract("prune", (it) => {
  it("leaves of each namespace the newest checkpoint, with its history and its writes", async ({ saver, reopen }) => {
    await chain(saver, "thread", 5);
    await chain(saver, "thread", 3, "child:1");
    await chain(saver, "other", 2);
    await saver.prune(["thread"], { strategy: "keep_latest" });
    for (const next of [() => saver, reopen]) {
      const reader = await next();
      expect(await listedIds(reader, at("thread"))).toStrictEqual(ids(5));
      expect(await listedIds(reader, at("thread", "child:1"))).toStrictEqual(ids(3));
      expect(await listedIds(reader, at("other"))).toStrictEqual(ids(2, 1));
      const { pendingWrites, parentConfig } = await tupleAt(reader, at("thread"));
      expect(pendingWrites).toStrictEqual([["task 5", "log", [text(5)]]]);
      expect(parentConfig?.configurable?.["checkpoint_id"]).toBe(checkpointId(4));
      const { seed, writes } = await historyOf(reader, at("thread"), "log");
      expect(seed).toStrictEqual(new DeltaSnapshot(["seed"]));
      expect(writes.map(([, , value]) => value)).toStrictEqual(upTo(4));
      const { problems, notes } = await reader.verify();
      expect(problems).toStrictEqual([]);
      expect(notes.map(({ code }) => code)).toStrictEqual(["missing-parent", "missing-parent"]);
    }
  });

  it("again and again while the thread goes on keeps the whole history", async ({ saver, reopen }) => {
    let head = at("thread");
    for (let n = 1; n <= 12; n += 1) {
      head = await put(saver, head, n, { versions: { log: n }, newVersions: {} });
      await saver.putWrites(head, [["log", [text(n)]]], `task ${n}`);
      if (n % 3 === 0) await saver.prune(["thread"]);
    }
    expect(await listedIds(saver, at("thread"))).toStrictEqual(ids(12));
    expect(await writesOf(saver, at("thread"), "log")).toStrictEqual(upTo(11));
    const cold = await reopen();
    await put(cold, head, 13, { versions: { log: 13 }, newVersions: {} });
    expect(await writesOf(cold, at("thread"), "log")).toStrictEqual(upTo(12));
  });

  it("keeps long histories in rows of a bounded size", async ({ saver, reopen, database }) => {
    const long = "x".repeat(40);
    let head = at("thread");
    for (let n = 1; n <= 8; n += 1) {
      head = await put(saver, head, n, { versions: { log: n }, newVersions: {} });
      await saver.putWrites(head, Array.from({ length: 200 }, (_, k) => ["log", [`${long}${n} ${k}`]] as [string, unknown]), `task ${n}`);
    }
    const before = await writesOf(saver, head, "log");
    await saver.prune(["thread"]);
    expect(await writesOf(await reopen(), head, "log")).toStrictEqual(before);
    const pasts = (await readRows(database)).filter(({ store }) => store === "pasts");
    expect(pasts.length).toBeGreaterThan(1);
    for (const { value } of pasts) expect((value as Uint8Array).length).toBeLessThan(64 * 1024);
  });

  it("deletes whole threads", async ({ saver, database }) => {
    await chain(saver, "thread", 3);
    await saver.prune(["thread", "none"], { strategy: "delete" });
    expect((await readRows(database)).filter(({ store }) => store !== "meta")).toStrictEqual([]);
    const wrong = { strategy: "some" } as unknown as { strategy: "delete" };
    expect((await errorOf(saver.prune(["thread"], wrong))).code).toBe("invalid-config");
  });

  it("gives back content: what is left takes about what it would have taken alone", async ({ saver, open, database }) => {
    const items = (n: number) => Array.from({ length: 100 }, (_, k) => `item ${k} ${k % 10 === n % 10 ? `changed in ${n} ` : ""}`.repeat(20));
    for (let n = 1; n <= 40; n += 1) await put(saver, at("thread", "", n === 1 ? undefined : n - 1), n, { values: { items: items(n), file: new Uint8Array(20_000).fill(n) } });
    const before = bytesOf(await readRows(database));
    await saver.prune(["thread"]);
    const after = await readRows(database);
    expect(await valuesAt(saver, at("thread"))).toStrictEqual({ items: items(40), file: new Uint8Array(20_000).fill(40) });
    expect(textOf(after)).not.toContain("changed in 39");
    expect((await saver.verify()).problems).toStrictEqual([]);

    const alone = `${database} alone`;
    const other = open({ name: alone });
    await put(other, at("thread"), 40, { values: { items: items(40), file: new Uint8Array(20_000).fill(40) } });
    const fresh = bytesOf(await readRows(alone));
    await other.deleteThread("thread");
    expect(before).toBeGreaterThan(10 * fresh);
    expect(bytesOf(after)).toBeLessThan(1.1 * fresh);
    const info = await saver.threads.get("thread");
    expect(info!.bytes).toBeGreaterThan(0.8 * bytesOf(after));
    expect(info!.bytes).toBeLessThan(1.2 * bytesOf(after));
  });

  it("is seen by another tab, which does not refer to content that has gone", async ({ saver, open }) => {
    const tab = open({ worker: ownWorker });
    const item = (n: number) => `item ${n} `.repeat(30);
    await put(saver, at("thread"), 1, { values: { items: [item(1), item(2)] } });
    await put(saver, at("thread", "", 1), 2, { values: { items: [item(3)] } });
    expect(await valuesAt(tab, at("thread", "", 1))).toStrictEqual({ items: [item(1), item(2)] });
    await put(tab, at("thread", "", 2), 3, { values: { items: [item(3), item(4)] } });
    await saver.prune(["thread"]);
    expect(await tab.getTuple(at("thread", "", 1))).toBeUndefined();
    await put(tab, at("thread", "", 3), 4, { values: { items: [item(1), item(3), item(4), item(2)] } });
    for (const reader of [saver, tab]) expect(await valuesAt(reader, at("thread"))).toStrictEqual({ items: [item(1), item(3), item(4), item(2)] });
    expect((await saver.verify()).problems).toStrictEqual([]);
  });

  it("does not take a history away by a parent that comes back", async ({ saver, reopen }) => {
    await chain(saver, "thread", 4);
    await saver.prune(["thread"]);
    await put(saver, at("thread", "", 2), 3, { versions: { log: 3 }, newVersions: {} });
    expect(await writesOf(saver, at("thread", "", 4), "log")).toStrictEqual(upTo(3));
    expect(await writesOf(await reopen(), at("thread", "", 4), "log")).toStrictEqual(upTo(3));
  });

  it("keeps the sends that a checkpoint of an earlier format has from its parent", async ({ saver }) => {
    const parent = await put(saver, at("thread"), 1);
    await saver.putWrites(parent, [["__pregel_tasks", { node: "n", args: 1 }]], "task");
    const old = { v: 3, id: checkpointId(2), ts: "2026-01-01T00:00:00.000Z", channel_values: {}, channel_versions: {}, versions_seen: {} };
    await saver.put(parent, old, { source: "loop", step: 2, parents: {} }, {});
    const before = await valuesAt(saver, at("thread"));
    expect(before["__pregel_tasks"]).toHaveLength(1);
    await saver.prune(["thread"]);
    expect(await valuesAt(saver, at("thread"))).toStrictEqual(before);
  });
});

databaseTest("verify finds a past that is not whole, and one that nobody has", async ({ saver, database }) => {
  await chain(saver, "thread", 4);
  await saver.prune(["thread"]);
  const rows = await readRows(database);
  const past = rows.find(({ store }) => store === "pasts")!;
  const codes = async () => (await saver.verify()).problems.map(({ code, store }) => `${code} in ${store}`);
  await deleteRow(database, past);
  expect(await codes()).toStrictEqual(["missing-content in checkpoints"]);
  await writeRow(database, { ...past, value: Uint8Array.from(past.value as Uint8Array, (byte, at) => (at === 9 ? byte ^ 1 : byte)) });
  expect(await codes()).toStrictEqual(["damaged in pasts"]);
  await writeRow(database, past);
  expect(await codes()).toStrictEqual([]);
  await deleteRow(database, rows.find(({ store }) => store === "checkpoints")!);
  expect((await codes()).toSorted()).toStrictEqual(["unreachable in pasts", "wrong-count in revisions"]);
});

contract("deleteForRuns", (it) => {
  it("removes the checkpoints of the runs, of all threads and namespaces, with their writes", async ({ saver, reopen, database }) => {
    await chain(saver, "thread", 9);
    await chain(saver, "thread", 3, "child");
    await chain(saver, "other", 4);
    await saver.deleteForRuns([]);
    await saver.deleteForRuns(["no such run"]);
    expect(await listed(saver, {})).toHaveLength(16);
    await saver.deleteForRuns(["run 1", "run 3"]);
    for (const next of [() => saver, reopen]) {
      const reader = await next();
      expect(await listedIds(reader, at("thread"))).toStrictEqual(ids(6, 5, 4));
      expect(await listedIds(reader, at("thread", "child"))).toStrictEqual([]);
      expect(await listedIds(reader, at("other"))).toStrictEqual(ids(4));
      expect(await writesOf(reader, at("thread", "", 6), "log")).toStrictEqual(upTo(5));
      expect((await reader.verify()).problems).toStrictEqual([]);
    }
    expect(textOf(await readRows(database))).not.toContain(text(8));
  });

  it("takes back the last steps of a long thread, which goes on from there", async ({ saver, reopen }) => {
    await chain(saver, "thread", 150);
    await saver.deleteForRuns(Array.from({ length: 34 }, (_, n) => `run ${n + 17}`));
    const head = at("thread", "", 48);
    await saver.putWrites(at("thread", "", 40), [["more", "of it"]], "late");
    await put(saver, head, 49, { versions: { log: 49 }, newVersions: {} });
    for (const next of [() => saver, reopen]) {
      const reader = await next();
      expect(await writesOf(reader, at("thread"), "log")).toStrictEqual(upTo(48));
      expect((await tupleAt(reader, at("thread", "", 40))).pendingWrites).toStrictEqual([["late", "more", "of it"], ["task 40", "log", [text(40)]]]);
      expect((await reader.verify()).problems).toStrictEqual([]);
    }
  });
});

contract("copyThread", (it) => {
  it("makes a thread with the same checkpoints, writes and namespaces, and each goes its way", async ({ saver, reopen }) => {
    await chain(saver, "source", 110);
    await chain(saver, "source", 2, "child");
    await put(saver, at("source", "", 50), 200, { values: { items: ["a branch"] } });
    await saver.deleteForRuns(["run 1"]);
    const plain = (tuples: Awaited<ReturnType<typeof listed>>) => tuples.map(({ checkpoint, metadata, pendingWrites }) => ({ checkpoint, metadata, pendingWrites }));
    const before = await listed(saver, at("source"));
    await saver.copyThread("source", "target");
    const cold = await reopen();
    expect(plain(await listed(cold, at("target")))).toStrictEqual(plain(before));
    expect(await listed(cold, at("source"))).toStrictEqual(before);
    expect(await writesOf(cold, at("target", "", 110), "log")).toStrictEqual(upTo(109));
    expect(await listedIds(cold, at("target", "child"))).toStrictEqual(await listedIds(cold, at("source", "child")));
    await cold.deleteThread("source");
    await put(cold, at("target", "", 110), 201, { versions: { log: 201 }, newVersions: {} });
    expect(await writesOf(cold, at("target"), "log")).toStrictEqual(upTo(110));
    expect((await cold.verify()).problems).toStrictEqual([]);
  });

  it("is refused where there is something already, or nothing to copy", async ({ saver }) => {
    await chain(saver, "source", 2);
    await chain(saver, "target", 1);
    expect((await errorOf(saver.copyThread("source", "target"))).code).toBe("thread-exists");
    expect((await errorOf(saver.copyThread("none", "new"))).code).toBe("unknown-thread");
    expect(await listedIds(saver, at("target"))).toStrictEqual(ids(1));
    expect(await saver.threads.get("new")).toBeUndefined();
  });
});
