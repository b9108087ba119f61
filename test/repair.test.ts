import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CheckpointError, type IndexedDBSaver } from "../src/index.ts";
import { ThreadStore } from "../src/threads/index.ts";
import { at, checkpointId, listedIds, put, tupleAt } from "./support/checkpoints.ts";
import { contract, databaseTest, freshName, inNode, openSaver } from "./support/contract.ts";
import { errorOf } from "./support/errors.ts";
import { byteArrays, deleteDatabase, deleteRow, readRows, type Row, setRows, writeRow } from "./support/raw-database.ts";
import { runs } from "./support/runs.ts";

const said = (n: number): string => `message ${n} `.repeat(8);
const LONG = 67; // its first block of writes is packed
const threads = ["long", "other"];
const namespaces = ["", "child"];

/** A long thread with a list, a delta channel and a fork, a subgraph, and a second thread. */
async function fill(saver: IndexedDBSaver): Promise<void> {
  for (let n = 1; n <= LONG; n += 1) {
    const delta = n % 30 === 10 ? { delta: new DeltaSnapshot([`to ${n}`]) } : {};
    await put(saver, at("long", "", n === 1 ? undefined : n - 1), n, { values: { list: Array.from({ length: n }, (_, k) => said(k)), ...delta } });
    await saver.putWrites(at("long", "", n), [["delta", said(1000 + n)], ["list", [said(n)]]], "task");
  }
  await put(saver, at("long", "", 40), 90, { values: { list: [said(1), said(500)] } });
  await put(saver, at("long", "child"), 3, { values: { list: [said(7)] } });
  await put(saver, at("other"), 1, { values: { list: [said(1)], title: "t" } });
  await saver.threads.update("other", { title: "a title" });
}

const ids = [...Array.from({ length: LONG }, (_, n) => n + 1), 90];

/** Everything that can be asked of the threads: an answer, or the error's code. */
async function ask(saver: IndexedDBSaver): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  const note = async (question: string, answer: () => Promise<unknown>) => {
    answers.set(question, await answer().catch((error: unknown) => (CheckpointError.is(error) ? error.code : error)));
  };
  for (const thread of threads) {
    for (const namespace of namespaces) {
      for (const n of thread === "long" && namespace === "" ? ids : [1, 3]) {
        await note(`tuple ${thread} ${namespace} ${n}`, () => saver.getTuple(at(thread, namespace, n)));
        await note(`history ${thread} ${namespace} ${n}`, () => saver.getDeltaChannelHistory({ config: at(thread, namespace, n), channels: ["delta"] }));
      }
      await note(`newest ${thread} ${namespace}`, () => saver.getTuple(at(thread, namespace)));
      await note(`list ${thread} ${namespace}`, () => listedIds(saver, at(thread, namespace)));
    }
  }
  return answers;
}

type Harm = { readonly kind: "flip"; readonly row: number; readonly bit: number } | { readonly kind: "delete"; readonly row: number } | { readonly kind: "swap"; readonly row: number; readonly with: number };

const place = fc.nat(1_000_000);
const harm: fc.Arbitrary<Harm> = fc.oneof(
  fc.record({ kind: fc.constant("flip" as const), row: place, bit: place }),
  fc.record({ kind: fc.constant("delete" as const), row: place }),
  fc.record({ kind: fc.constant("swap" as const), row: place, with: place }),
);

/** Of each store as many harms as of the others, however many rows it has. */
function harmed(rows: readonly Row[], harms: readonly Harm[]): Row[] {
  const left = structuredClone(rows) as Row[];
  const stores = [...new Set(rows.map(({ store }) => store))].filter((store) => store !== "meta");
  for (const each of harms) {
    const own = left.filter(({ store }) => store === stores[each.row % stores.length]);
    const row = own[Math.floor(each.row / stores.length) % Math.max(1, own.length)];
    if (row === undefined) continue;
    const index = left.indexOf(row);
    if (each.kind === "delete") left.splice(index, 1);
    else if (each.kind === "swap") {
      const other = left.indexOf(own[each.with % own.length]!);
      [left[index], left[other]] = [{ ...row, value: left[other]!.value }, { ...left[other]!, value: row.value }];
    } else {
      const bytes = [...byteArrays(row.value)][0]!;
      bytes[Math.floor(each.bit / 8) % bytes.length]! ^= 1 << (each.bit % 8);
    }
  }
  return left;
}

const prune = (saver: IndexedDBSaver) => saver.threads.prune({ threads: ["long"], keepLast: 24 });

describe("A repair", () => {
  it.for([
    ["of any damage", "inline", false, 12],
    ["of any damage to a thread that was pruned", "inline", true, 8],
    ["of any damage to encrypted rows", "encrypted", true, 4],
  ] as const)("%s leaves a database in which verify finds nothing, and what loaded before loads the same", { timeout: 240_000 }, async ([, implementation, isPruned, count]) => {
    const name = freshName();
    const open = () => openSaver(implementation, { name });
    const use = async <T>(act: (saver: IndexedDBSaver) => Promise<T>): Promise<T> => {
      const saver = open();
      try {
        return await act(saver);
      } finally {
        await saver.close();
      }
    };
    await use(fill);
    if (isPruned) await use(prune);
    const rows = await readRows(name);
    expect(rows.filter(({ store }) => store === (isPruned ? "pasts" : "blocks")).length).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(fc.array(harm, { minLength: 1, maxLength: 3 }), async (harms) => {
        await setRows(name, harmed(rows, harms));
        const before = await use(ask);
        const found = await use((saver) => saver.verify());
        const report = await use((saver) => saver.repair());
        expect(report.dropped.length > 0).toBe(found.problems.some(({ code }) => code !== "wrong-count"));
        expect((await use((saver) => saver.verify())).problems).toStrictEqual([]);
        const after = await use(ask);
        const loaded = [...before].filter(([, answer]) => answer !== "damaged");
        expect(loaded.map(([question]) => [question, after.get(question)])).toStrictEqual(loaded);
        // What did not load is an error still, or has gone with its thread; the newest and the list are of what is whole.
        const others = [...before.keys()].filter((question) => before.get(question) === "damaged");
        const wrong = others.filter((question) => {
          const answer = after.get(question);
          return /^(tuple|history)/.test(question) ? !(answer === "damaged" || answer === undefined || isNothing(answer)) : answer === "damaged";
        });
        expect(wrong).toStrictEqual([]);
        await use(async (saver) => {
          const newest = await saver.getTuple(at("long"));
          await put(saver, newest?.config ?? at("long"), 200, { values: { list: [said(1), said(200)] } });
          expect((await tupleAt(saver, at("long"))).checkpoint.channel_values).toStrictEqual({ list: [said(1), said(200)] });
          expect((await saver.verify()).problems).toStrictEqual([]);
        });
      }),
      runs(count),
    );
    await deleteDatabase(name);
  });
});

/** To the end, or to its error, which a `Response` would hide in Chromium. */
async function readAll(stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  while (!(await reader.read()).done);
}

/** The history of a thread that is not there. */
function isNothing(answer: unknown): boolean {
  return JSON.stringify(answer) === JSON.stringify({ delta: { writes: [] } });
}

contract("A repair", (it) => {
  it("of a database without a fault changes nothing", async ({ saver, reopen, database }) => {
    await put(saver, at("thread"), 1, { values: { list: [said(1)] } });
    const rows = await readRows(database);
    const cold = await reopen();
    expect(await cold.repair()).toStrictEqual({ repaired: [], dropped: [] });
    expect(await readRows(database)).toStrictEqual(rows);
  });

  it("says what it dropped; the thread goes on from the newest checkpoint that is whole", async ({ saver, reopen, database }) => {
    for (let n = 1; n <= 5; n += 1) await put(saver, at("thread", "", n === 1 ? undefined : n - 1), n, { values: { list: Array.from({ length: n }, (_, k) => said(k)) } });
    await put(saver, at("other"), 1, { values: { list: [said(1)] } });
    await saver.close();
    const content = (await readRows(database)).filter(({ store, key }) => store === "content" && Array.isArray(key));
    const own = content.filter(({ key }) => (key as IDBValidKey[])[0] === (content.find((row) => (row.key as IDBValidKey[])[4] === 4)!.key as IDBValidKey[])[0]);
    await deleteRow(database, own.at(-1)!);
    const cold = await reopen();
    expect((await errorOf(cold.getTuple(at("thread")))).code).toBe("damaged");
    expect(cold.status()).toMatchObject({ state: "degraded", fault: { code: "damaged", remedy: "repair" } });
    const { repaired, dropped } = await cold.repair();
    expect(cold.status()).toStrictEqual({ state: "open" });
    expect(repaired).toStrictEqual(["thread"]);
    expect(dropped).toStrictEqual([expect.objectContaining({ code: "missing-content", thread: "thread", store: "checkpoints" })]);
    expect((await cold.verify()).notes.map(({ code }) => code)).toStrictEqual(["lost"]);
    const newest = await tupleAt(cold, at("thread"));
    expect(newest.checkpoint.id).toBe(checkpointId(4));
    expect(await listedIds(cold, at("thread"))).toStrictEqual([4, 3, 2, 1].map(checkpointId));
    expect((await errorOf(cold.getTuple(at("thread", "", 5)))).code).toBe("damaged");
    const list = [0, 1, 2, 3, 9].map(said);
    const on = await put(cold, newest.config, 6, { values: { list } });
    expect((await tupleAt(cold, on)).checkpoint.channel_values).toStrictEqual({ list });
    expect((await tupleAt(await reopen(), on)).checkpoint.channel_values).toStrictEqual({ list });
  });
});

databaseTest("What a repair could not save stays lost: in a copy, and for who removes or exports", async ({ saver, reopen, database }) => {
  for (let n = 1; n <= 10; n += 1) {
    await put(saver, at("thread", "", n === 1 ? undefined : n - 1), n, { values: n === 2 ? { delta: new DeltaSnapshot([said(0)]) } : {} });
    await saver.putWrites(at("thread", "", n), [["delta", said(n)]], "task");
  }
  await saver.threads.prune({ threads: ["thread"], keepLast: 5 });
  await saver.close();
  await deleteRow(database, (await readRows(database)).find(({ store }) => store === "pasts")!);
  const cold = await reopen();
  const history = (thread: string) => errorOf(cold.getDeltaChannelHistory({ config: at(thread, "", 10), channels: ["delta"] }));
  expect(await history("thread")).toMatchObject({ code: "damaged", store: "pasts" });
  expect((await cold.verify()).problems).toMatchObject([{ code: "missing-content", store: "checkpoints" }]);
  expect((await cold.repair()).repaired).toStrictEqual(["thread"]);
  const { problems, notes } = await cold.verify();
  expect([problems, notes.map(({ code }) => code)]).toStrictEqual([[], ["lost", "missing-parent"]]);
  expect(await history("thread")).toMatchObject({ code: "damaged", store: "pasts" });
  await cold.copyThread("thread", "copy");
  expect(await history("copy")).toMatchObject({ code: "damaged", store: "pasts" });
  expect(await cold.threads.prune({ threads: ["thread"], keepLast: 2 })).toMatchObject({ threads: [], damaged: ["thread"] });
  expect(await errorOf(readAll(cold.threads.export({ threads: ["thread"] })))).toMatchObject({ code: "damaged" });
});

databaseTest("A repair gives a database its name again", async ({ saver, open, database }) => {
  await put(saver, at("thread"), 1);
  await saver.close();
  const [meta] = (await readRows(database)).filter(({ store }) => store === "meta");
  await writeRow(database, { ...meta!, value: 7 });
  const cold = open({ worker: false });
  expect((await cold.verify()).problems).toMatchObject([{ code: "damaged", store: "meta" }]);
  expect((await cold.repair()).dropped).toMatchObject([{ code: "damaged", store: "meta" }]);
  expect((await cold.verify()).problems).toStrictEqual([]);
  expect((await readRows(database)).find(({ store }) => store === "meta")?.value).toEqual(expect.any(String));
});

databaseTest("A thread store verifies and repairs too", async ({ saver, database }) => {
  await put(saver, at("thread"), 1, { values: { list: [said(1)] } });
  await saver.close();
  const store = new ThreadStore({ name: database, channels: {}, worker: inNode ? false : true });
  const rows = await readRows(database);
  await deleteRow(database, rows.find((row) => row.store === "revisions")!);
  expect((await store.verify()).problems).toMatchObject([{ code: "damaged", store: "revisions" }]);
  expect((await store.repair()).repaired).toStrictEqual(["thread"]);
  expect((await store.verify()).problems).toStrictEqual([]);
  await store.close();
});
