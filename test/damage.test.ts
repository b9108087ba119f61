import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { HumanMessage } from "@langchain/core/messages";
import { expect } from "vitest";
import { CheckpointError } from "../src/index.ts";
import { at, listed, put } from "./support/checkpoints.ts";
import { contract, inNode } from "./support/contract.ts";
import { errorOf } from "./support/errors.ts";
import { type Row, byteArrays, connect, readRows, writeRow } from "./support/raw-database.ts";

type Saver = Parameters<typeof put>[0];

const heads = [at("thread", "", 6), at("thread", "", 7)];

async function fill(saver: Saver): Promise<void> {
  let head = at("thread");
  const messages: HumanMessage[] = [];
  for (let n = 1; n <= 6; n += 1) {
    messages.push(new HumanMessage({ id: `m${n}`, content: `message ${n}` }));
    head = await put(saver, head, n, { values: { messages, count: n, ...(n === 2 ? { delta: new DeltaSnapshot(["seed"]) } : {}) }, metadata: { mark: n } });
    await saver.putWrites(head, [["delta", `write ${n}`], ["other", [n]]], `task ${n}`, "path");
  }
  await put(saver, at("thread", "", 3), 7, { values: { messages: [...messages.slice(0, 3), new HumanMessage({ id: "fork", content: "fork" })] } });
}

/** Everything that can be read of the thread: an answer, or the error's code. */
async function readAll(saver: Saver): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const ask = async (question: string, answer: () => Promise<unknown>) => {
    answers[question] = await answer().catch((error: unknown) => (CheckpointError.is(error) ? error.code : error));
  };
  for (let n = 1; n <= 7; n += 1) await ask(`tuple ${n}`, () => saver.getTuple(at("thread", "", n)));
  for (const [n, config] of heads.entries()) await ask(`history ${n}`, () => saver.getDeltaChannelHistory({ config, channels: ["delta", "other"] }));
  await ask("newest", () => saver.getTuple(at("thread")));
  await ask("list", () => listed(saver, at("thread")));
  await ask("filtered", () => listed(saver, at("thread"), { filter: { mark: 4 } }));
  return answers;
}

/** The row with one bit of one of its byte arrays flipped. */
function flipped(row: Row, array: number, bit: number): Row {
  const value: unknown = structuredClone(row.value);
  const bytes = [...byteArrays(value)][array];
  if (bytes === undefined) throw new Error("there is no such byte array");
  const at = Math.floor(bit / 8) % bytes.length;
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
  return { ...row, value };
}

contract("A damaged row", (it) => {
  it("is an error with the code damaged wherever it is read, and never a wrong value", async ({ saver, reopen, database }) => {
    await fill(saver);
    const intact = await readAll(await reopen());
    const rows = await readRows(database);
    const damagedStores = new Set<string>();
    for (const row of rows) {
      const arrays = [...byteArrays(row.value)];
      for (const [array, bytes] of arrays.entries()) {
        for (const place of inNode ? [0, 0.3, 0.6, 1] : [0.5]) {
          const bit = Math.floor((bytes.length * 8 - 1) * place);
          await writeRow(database, flipped(row, array, bit));
          const where = `${row.store} ${JSON.stringify(row.key)}, bit ${bit}`;
          const cold = await reopen();
          const answers = await readAll(cold);
          if (["threads", "revisions"].includes(row.store)) answers["put"] = (await errorOf(put(cold, heads[0]!, 8))).code; // all else can do without these rows
          for (const [question, answer] of Object.entries(answers)) {
            if (answer === "damaged") damagedStores.add(row.store);
            else expect(answer, `${question}, ${where}`).toStrictEqual(intact[question]);
          }
          expect(Object.values(answers), where).toContain("damaged");
          await writeRow(database, row);
        }
      }
    }
    expect([...damagedStores].toSorted()).toStrictEqual(["checkpoints", "content", "revisions", "threads", "writes"]);
    expect(await readAll(await reopen())).toStrictEqual(intact);
  }, 120_000);

  it("is damaged under another row's key", async ({ saver, reopen, database }) => {
    await fill(saver);
    const intact = await readAll(await reopen());
    const rows = await readRows(database);
    for (const store of ["checkpoints", "writes", "content"]) {
      const [first, second] = rows.filter((row) => row.store === store);
      if (first === undefined || second === undefined) throw new Error(`${store} has too few rows`);
      await writeRow(database, { ...first, value: second.value });
      const answers = await readAll(await reopen());
      for (const [question, answer] of Object.entries(answers)) {
        if (answer !== "damaged") expect(answer, `${question}, ${store}`).toStrictEqual(intact[question]);
      }
      expect(Object.values(answers), store).toContain("damaged");
      await writeRow(database, first);
    }
  });

  it("says which row it is, and leaves other threads readable", async ({ saver, reopen, database }) => {
    await fill(saver);
    const [row] = (await readRows(database)).filter(({ store }) => store === "checkpoints");
    if (row === undefined) throw new Error("no checkpoint of the thread");
    await put(saver, at("other"), 1, { values: { a: 1 } });
    await writeRow(database, flipped(row, 0, 77));

    const cold = await reopen();
    const error: unknown = await cold.getTuple(at("thread", "", 1)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "damaged", store: "checkpoints" });
    expect((await cold.getTuple(at("other")))?.checkpoint.channel_values).toStrictEqual({ a: 1 });
  });

  it("of content does not keep the thread from going on, nor from a fork of what came before", async ({ saver, reopen, database }) => {
    const long = (n: number) => `message ${n} `.repeat(20);
    let head = at("thread");
    const list: string[] = [];
    for (let n = 1; n <= 5; n += 1) {
      list.push(long(n));
      head = await put(saver, head, n, { values: { list } });
    }
    const rows = (await readRows(database)).filter(({ store }) => store === "content");
    await writeRow(database, flipped(rows[2]!, 0, 77));

    const cold = await reopen();
    const fork = await put(cold, at("thread", "", 2), 6, { values: { list: [long(1), long(2), long(9)] } });
    await cold.putWrites(fork, [["list", [long(10)]]], "task");
    expect((await cold.getTuple(fork))?.checkpoint.channel_values).toStrictEqual({ list: [long(1), long(2), long(9)] });
    const on = await put(cold, head, 7, { values: { list: [...list, long(6)] } });
    expect((await cold.getTuple(on))?.checkpoint.channel_values).toStrictEqual({ list: [...list, long(6)] });
    expect(await errorOf(cold.getTuple(at("thread", "", 3)))).toMatchObject({ code: "damaged", store: "content" });
    expect((await cold.getTuple(at("thread", "", 2)))?.checkpoint.channel_values).toStrictEqual({ list: [long(1), long(2)] });
  });

  it("that has gone altogether does not give its place to what comes after", async ({ saver, reopen, database }) => {
    const long = (n: number) => `message ${n} `.repeat(20);
    let head = at("thread");
    for (let n = 1; n <= 4; n += 1) head = await put(saver, head, n, { values: { list: Array.from({ length: n }, (_, index) => long(index)) } });
    const connection = await connect(database);
    const store = connection.transaction("content", "readwrite").objectStore("content");
    await new Promise((resolve) => {
      store.getAllKeys().onsuccess = ({ target }) => (store.delete((target as IDBRequest<IDBValidKey[]>).result.at(-1)!).onsuccess = resolve);
    });
    connection.close();
    const cold = await reopen();
    await put(cold, head, 5, { values: { list: [long(0), long(1), long(2), long(9)] } });
    expect(await errorOf(cold.getTuple(head))).toMatchObject({ code: "damaged", store: "content" });
  });

  it("of a thread under another's id is never taken for it, not even to delete it", async ({ saver, reopen, database }) => {
    await put(saver, at("a"), 1, { values: { name: "a" } });
    await put(saver, at("b"), 1, { values: { name: "b" } });
    const [a, b] = (await readRows(database)).filter(({ store }) => store === "threads");
    await writeRow(database, { ...a!, value: b!.value });
    const cold = await reopen();
    for (const call of [cold.getTuple(at("a")), cold.deleteThread("a"), put(cold, at("a", "", 1), 2)]) {
      expect(await errorOf(call)).toMatchObject({ code: "damaged", store: "threads" });
    }
    expect((await cold.getTuple(at("b")))?.checkpoint.channel_values).toStrictEqual({ name: "b" });
  });

  it("does not keep a thread from being deleted", async ({ saver, reopen, database }) => {
    await fill(saver);
    for (const row of await readRows(database)) {
      if (row.store !== "meta" && [...byteArrays(row.value)].length > 0) await writeRow(database, flipped(row, 0, 5));
    }
    const cold = await reopen();
    await cold.deleteThread("thread");
    expect((await readRows(database)).filter(({ store }) => store !== "meta")).toStrictEqual([]);
    expect(await cold.getTuple(at("thread"))).toBeUndefined();
  });

  it("of packed writes is an error each time it is read, not only the first", async ({ saver, reopen, database }) => {
    for (let n = 1; n <= 66; n += 1) {
      await put(saver, at("thread", "", n === 1 ? undefined : n - 1), n, { values: { count: n } });
      await saver.putWrites(at("thread", "", n), [["delta", n]], "task");
    }
    const [block] = (await readRows(database)).filter(({ store }) => store === "blocks");
    await writeRow(database, flipped(block!, 0, 99));
    const cold = await reopen();
    for (const n of [1, 2, 1]) expect(await errorOf(cold.getTuple(at("thread", "", n)))).toMatchObject({ code: "damaged", store: "blocks" });
    expect((await cold.getTuple(at("thread", "", 40)))?.pendingWrites).toStrictEqual([["task", "delta", 40]]);
    expect((await errorOf(cold.getDeltaChannelHistory({ config: at("thread", "", 66), channels: ["delta"] }))).code).toBe("damaged");
  });
});
