import { describe, expect } from "vitest";
import type { Finding, IndexedDBSaver, NoteCode, ProblemCode, VerifyReport } from "../src/index.ts";
import { packCheckpoint, unpackCheckpoint } from "../src/engine/checkpoint-row.ts";
import { packElements, unpackElements } from "../src/engine/elements.ts";
import { packRevision, unpackRevision } from "../src/engine/thread-row.ts";
import { packWrites } from "../src/engine/writes-row.ts";
import { type BlockKey, type Branch, type CheckpointId, type CheckpointKey, type ContentKey, idKey, idOf, type TaskId, type ThreadKey } from "../src/idb/index.ts";
import { at, checkpointId, put } from "./support/checkpoints.ts";
import { contract, databaseTest } from "./support/contract.ts";
import { errorOf } from "./support/errors.ts";
import { ownWorker } from "./support/own-worker.ts";
import { byteArrays, deleteRow, readRows, type Row, writeRow } from "./support/raw-database.ts";

const said = (n: number): string => `message ${n} `.repeat(20);
const list = (length: number): string[] => Array.from({ length }, (_, n) => said(n));

/** The checkpoints of a thread from one number to another, each with one more message, and each message also a task's write. */
async function fill(saver: IndexedDBSaver, thread: string, to: number, from = 1): Promise<void> {
  const stored: Promise<unknown>[] = [];
  for (let n = from; n <= to; n += 1) {
    stored.push(put(saver, at(thread, "", n === 1 ? undefined : n - 1), n, { values: { list: list(n), title: "a title" } }));
    stored.push(saver.putWrites(at(thread, "", n), [["list", [said(n)]]], "task"));
  }
  await Promise.all(stored);
}

const found = ({ problems, notes }: VerifyReport): string[] => [...problems, ...notes].map(({ code, store }: Finding<ProblemCode | NoteCode>) => `${code} in ${store}`);

async function rowsOf(database: string, store: string): Promise<Row[]> {
  return (await readRows(database)).filter((row) => row.store === store);
}

function flipped(row: Row): Row {
  const value = structuredClone(row.value);
  const [bytes] = byteArrays(value);
  bytes!.set([bytes!.at(-1)! ^ 1], bytes!.length - 1);
  return { ...row, value };
}

contract("A report on a database", (it) => {
  it("that nothing was stored in is empty", async ({ saver }) => {
    expect(await saver.verify()).toStrictEqual({ checked: { threads: 0, checkpoints: 0, writes: 0, elements: 0, bytes: 0 }, problems: [], notes: [] });
  });

  it("counts what is there, over threads and namespaces of any name", async ({ saver }) => {
    for (const thread of [" ", "__proto__", "a", "\u{1f600}"]) await fill(saver, thread, 3);
    await put(saver, at("a", "child"), 1, { values: { list: list(5) } });
    const { checked, problems, notes } = await saver.verify();
    expect({ problems, notes }).toStrictEqual({ problems: [], notes: [] });
    expect(checked).toMatchObject({ threads: 4, checkpoints: 13, writes: 12, elements: 4 * 4 + 5 });
    expect(checked.bytes).toBeGreaterThan(21 * said(0).length);
  });

  it("finds nothing wrong in a thread of many pages", async ({ saver }) => {
    await fill(saver, "thread", 300);
    const report = await saver.verify();
    expect(found(report)).toStrictEqual([]);
    expect(report.checked).toMatchObject({ threads: 1, checkpoints: 300, writes: 300, elements: 301 });
  });

  it("finds nothing wrong while another writes", async ({ saver, open }) => {
    const writer = open({ worker: ownWorker });
    const reports: Promise<VerifyReport>[] = [];
    for (let n = 1; n <= 110; n += 10) {
      const written = fill(writer, "thread", n + 9, n);
      reports.push(saver.verify());
      await written;
    }
    expect((await Promise.all(reports)).flatMap(found)).toStrictEqual([]);
    expect((await saver.verify()).checked).toMatchObject({ checkpoints: 110, writes: 110 });
  });

  it("of many threads is of all of them", async ({ saver }) => {
    await Promise.all(Array.from({ length: 300 }, (_, n) => put(saver, at(`thread ${n}`), 1, { values: { n } })));
    const report = await saver.verify();
    expect(found(report)).toStrictEqual([]);
    expect(report.checked).toMatchObject({ threads: 300, checkpoints: 300 });
  });

  it("of a saver that was closed is an error", async ({ saver }) => {
    await saver.close();
    expect((await errorOf(saver.verify())).code).toBe("closed");
  });
});

describe("A report names", () => {
  databaseTest("every row whose bytes were changed", async ({ saver, reopen, database }) => {
    await fill(saver, "thread", 100);
    await saver.close();
    const rows = (await readRows(database)).filter(({ store }) => store !== "meta");
    expect(new Set(rows.map(({ store }) => store)).size).toBe(6);
    for (const store of new Set(rows.map((row) => row.store))) {
      const row = rows.find((each) => each.store === store)!;
      await writeRow(database, flipped(row));
      const cold = await reopen();
      const { problems } = await cold.verify();
      expect(problems).toContainEqual(expect.objectContaining({ code: "damaged", store, thread: "thread" }));
      await cold.close();
      await writeRow(database, row);
    }
    expect(found(await (await reopen()).verify())).toStrictEqual([]);
  });

  databaseTest("a row of content that is not there, and all that refers to it", async ({ saver, database }) => {
    await fill(saver, "thread", 8);
    const [, second] = await rowsOf(database, "content");
    await deleteRow(database, second!);
    const report = await saver.verify();
    expect(new Set(found(report))).toStrictEqual(new Set(["gap in content", "missing-content in checkpoints", "missing-content in writes"]));
    expect(report.problems.filter(({ store, code }) => store === "checkpoints" && code === "missing-content")).toHaveLength(7);
    expect(report.problems.every(({ sentence }) => /^[A-Z].{20,}\.$/.test(sentence))).toBe(true);
  });

  databaseTest("an element that is in a log twice, rows that overlap, and a row that is longer than a block", async ({ saver, database }) => {
    await put(saver, at("thread"), 1, { values: { list: list(4) } });
    const [row] = await rowsOf(database, "content");
    const key = row!.key as ContentKey;
    const elements = unpackElements(key, row!.value);
    const others = Array.from({ length: 29 }, (_, n) => Uint8Array.of(0, n));
    await writeRow(database, { ...row!, value: packElements(key, [...elements, elements[2]!, ...others]) });
    expect(found(await saver.verify())).toStrictEqual(["wrong-place in content", "wrong-count in revisions", "stored-twice in content"]);
    const next = [...key.slice(0, 4), 3] as unknown as ContentKey;
    await writeRow(database, row!);
    await writeRow(database, { store: "content", key: next, value: packElements(next, [Uint8Array.of(0, 0)]) });
    expect(found(await saver.verify())).toStrictEqual(["overlap in content", "wrong-count in revisions"]);
  });

  databaseTest("a parent and a checkpoint that are not there, as what they are: no faults", async ({ saver }) => {
    await put(saver, at("thread", "", 1), 2, { values: { list: list(2) } });
    await saver.putWrites(at("thread", "", 3), [["list", [said(3)]]], "task");
    const { problems, notes } = await saver.verify();
    expect(problems).toStrictEqual([]);
    expect(notes.map(({ code, store, thread }) => ({ code, store, thread }))).toStrictEqual([
      { code: "missing-parent", store: "checkpoints", thread: "thread" },
      { code: "missing-checkpoint", store: "writes", thread: "thread" },
    ]);
    expect(notes[0]!.sentence).toContain(checkpointId(1));
    await put(saver, at("thread"), 1);
    await put(saver, at("thread", "", 2), 3);
    expect((await saver.verify()).notes).toStrictEqual([]);
  });

  databaseTest("a checkpoint that has gone, by what is left of it", async ({ saver, database }) => {
    await fill(saver, "thread", 3);
    const rows = await rowsOf(database, "checkpoints");
    await deleteRow(database, rows[1]!);
    expect(found(await saver.verify())).toStrictEqual(["wrong-count in revisions", "missing-parent in checkpoints", "missing-checkpoint in writes"]);
  });

  databaseTest("checkpoints that are in each other's place, or do not follow one another", async ({ saver, database }) => {
    await fill(saver, "thread", 3);
    const rows = await rowsOf(database, "checkpoints");
    const [, , third] = rows;
    const [thread, namespace, id] = third!.key as CheckpointKey;
    const identity = [thread, namespace, idOf<CheckpointId>(id)] as const;
    const row = unpackCheckpoint(identity, third!.value);

    await writeRow(database, { ...third!, value: packCheckpoint(identity, { ...row, depth: 1 }) });
    expect(new Set(found(await saver.verify()))).toStrictEqual(new Set(["wrong-place in checkpoints", "wrong-link in checkpoints"]));
    await writeRow(database, { ...third!, value: packCheckpoint(identity, { ...row, parent: checkpointId(1) as CheckpointId }) });
    expect(found(await saver.verify())).toStrictEqual(["wrong-link in checkpoints"]);
    await writeRow(database, { ...third!, value: packCheckpoint(identity, { ...row, channels: row.channels.filter(({ name }) => name !== "list") }) });
    expect(found(await saver.verify())).toStrictEqual(["wrong-link in checkpoints"]);
    await writeRow(database, { ...third!, value: packCheckpoint(identity, { ...row, branch: 7 as Branch, depth: 0 }) });
    expect(found(await saver.verify())).toStrictEqual(["wrong-count in revisions"]);
  });

  databaseTest("a number of checkpoints that is not theirs", async ({ saver, database }) => {
    await fill(saver, "thread", 2);
    const [row] = await rowsOf(database, "revisions");
    const key = row!.key as ThreadKey;
    await writeRow(database, { ...row!, value: packRevision(key, { ...unpackRevision(key, row!.value), checkpoints: 5 }) });
    const { problems } = await saver.verify();
    expect(problems).toStrictEqual([expect.objectContaining({ code: "wrong-count", store: "revisions", thread: "thread" })]);
    expect(problems[0]!.sentence).toContain("5");
  });

  databaseTest("writes where no reader looks", async ({ saver, database }) => {
    await fill(saver, "thread", 110);
    const [block] = await rowsOf(database, "blocks");
    const [thread, namespace] = block!.key as BlockKey;
    const identity = [thread, namespace, checkpointId(1) as CheckpointId, "other" as TaskId] as const;
    await writeRow(database, { store: "writes", key: [thread, namespace, idKey(identity[2]), "other"], value: packWrites(identity, []) });
    expect(found(await saver.verify())).toStrictEqual(["unreachable in writes"]);
    const [first] = await rowsOf(database, "checkpoints");
    await deleteRow(database, first!);
    expect(found(await saver.verify())).toContain("unreachable in blocks");
  });

  databaseTest("what is left of a thread that has no row", async ({ saver, reopen, database }) => {
    await fill(saver, "thread", 110);
    await fill(saver, "other", 2);
    const [, row] = await rowsOf(database, "threads");
    expect(row!.key).toBe("thread");
    await deleteRow(database, row!);
    const { problems, notes, checked } = await (await reopen()).verify();
    expect(notes).toStrictEqual([]);
    expect(problems.map(({ code, store, thread }) => ({ code, store, thread }))).toStrictEqual(
      ["revisions", "checkpoints", "writes", "blocks", "content"].map((store) => ({ code: "stray", store, thread: undefined })),
    );
    expect(checked.threads).toBe(1);
  });
});
