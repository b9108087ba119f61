import fc from "fast-check";
import { describe, expect, it as test } from "vitest";
import type { CheckpointError, IndexedDBSaver } from "../src/index.ts";
import { deviceKey, forgetDeviceKey, keyFromPassphrase, reencrypt } from "../src/encryption/index.ts";
import { delta, lastValue, messagesReducer, ThreadStore } from "../src/threads/index.ts";
import { at, checkpointId, listedIds, put, tupleAt, valuesAt } from "./support/checkpoints.ts";
import { contract, databaseTest, freshName, newKey, openSaver, workerOption } from "./support/contract.ts";
import { codeOf, errorOf } from "./support/errors.ts";
import { failCommits } from "./support/faults.ts";
import { byteArrays, connect, deleteDatabase, deleteRow, readRows, type Row, textOf, writeRow } from "./support/raw-database.ts";
import { RecordedThread, step } from "./support/recorded-thread.ts";
import { runs } from "./support/runs.ts";

const thread = at("thread");
const forGood = 1_000_000;

/** So many checkpoints that blocks of writes are packed, with everything that a row can hold. */
async function fill(saver: IndexedDBSaver, mark: string, steps: number, id = "thread"): Promise<void> {
  const messages: string[] = [];
  let parent = at(id);
  for (let n = 1; n <= steps; n += 1) {
    messages.push(`${mark} message ${n}, which is longer than what stays in the row of a checkpoint`);
    parent = await put(saver, parent, n, { values: { messages, small: `${mark} ${n}` }, metadata: { note: `${mark} metadata` } });
    await saver.putWrites(parent, [["messages", `${mark} write ${n}`], ["wide", `${mark} `.repeat(20)]], "task", `${mark} path`);
  }
}

async function messagesOf(saver: IndexedDBSaver, id = "thread"): Promise<number> {
  return ((await valuesAt(saver, at(id)))["messages"] as unknown[]).length;
}

async function metaOf(database: string): Promise<Row[]> {
  return (await readRows(database)).filter(({ store }) => store === "meta");
}

async function rowsOf(database: string): Promise<Row[]> {
  return (await readRows(database)).filter(({ store }) => store !== "meta");
}

/** The part of a row that is encrypted. */
function sealedIn(value: unknown): Uint8Array {
  const [bytes] = byteArrays(value instanceof Uint8Array ? value : (value as { body: unknown }).body);
  return bytes!;
}

contract("An encrypted database", (it) => {
  it("gives back what was put, to every saver with its key", async ({ open }) => {
    const encryption = { key: await newKey() };
    const saver = open({ encryption });
    await fill(saver, "secret", 3);
    const other = open({ encryption, worker: false });
    expect(await tupleAt(other, thread)).toStrictEqual(await tupleAt(saver, thread));
    await put(other, at("thread", "", 3), 4, { values: { messages: ["from the other"] } });
    expect(await valuesAt(saver, thread)).toStrictEqual({ messages: ["from the other"] });
    expect(await listedIds(saver, thread)).toStrictEqual([4, 3, 2, 1].map(checkpointId));
    expect((await saver.verify()).problems).toStrictEqual([]);
  });

  it("holds nothing in plain but ids, and names of channels", async ({ open, database }) => {
    const mark = "a phrase that is nowhere else";
    const saver = open({ encryption: { key: await newKey() } });
    await fill(saver, mark, 70);
    await saver.threads.update("thread", { title: mark, metadata: { [mark]: true } });
    const rows = await readRows(database);
    expect(new Set(rows.map(({ store }) => store))).toStrictEqual(new Set(["meta", "threads", "revisions", "checkpoints", "writes", "blocks", "content"]));
    for (const word of [mark, "phrase", "metadata", "loop"]) expect(textOf(rows)).not.toContain(word);
    const plain = open({ name: `${database} plain` });
    await fill(plain, mark, 70);
    await plain.close();
    expect(textOf(await readRows(`${database} plain`))).toContain("phrase");
    await deleteDatabase(`${database} plain`);
  });

  it("encrypts equal rows otherwise each time", async ({ open, database }) => {
    const saver = open({ encryption: { key: await newKey() } });
    const seen = new Set<string>();
    for (let n = 0; n < 5; n += 1) {
      await put(saver, thread, 1, { values: { same: "x".repeat(100) } });
      const row = (await readRows(database)).find(({ store }) => store === "checkpoints");
      seen.add(sealedIn(row?.value).subarray(1, 13).join(" "));
    }
    expect(seen.size).toBe(5);
  });

  it("is refused without its key, or with another", async ({ open }) => {
    const key = await newKey();
    await fill(open({ encryption: { key } }), "secret", 1);
    for (const [options, code] of [[{}, "encryption-required"], [{ encryption: { key: await newKey() } }, "wrong-key"]] as const) {
      const saver = open(options);
      expect((await errorOf(saver.getTuple(thread))).code).toBe(code);
      expect((await errorOf(put(saver, thread, 2))).code).toBe(code);
      expect((await errorOf(saver.deleteThread("thread"))).code).toBe(code);
      expect((await errorOf(saver.verify())).code).toBe(code);
    }
    expect(await messagesOf(open({ encryption: { key } }))).toBe(1);
  });

  it("is not made of one that holds threads: the key is refused, and nothing touched", async ({ open, database }) => {
    const plain = open();
    await fill(plain, "open", 2);
    const before = await readRows(database);
    const error = await errorOf(open({ encryption: { key: await newKey() } }).getTuple(thread));
    expect(error).toMatchObject({ code: "not-encrypted", database });
    expect(await readRows(database)).toStrictEqual(before);
    await put(plain, at("thread", "", 2), 3, { values: { messages: ["on"] } });
    expect(await valuesAt(plain, thread)).toStrictEqual({ messages: ["on"] });
  });

  it("is made of one that is empty", async ({ open, database }) => {
    const plain = open();
    expect(await plain.getTuple(thread)).toBeUndefined();
    const saver = open({ encryption: { key: await newKey() } });
    await fill(saver, "secret", 1);
    expect((await errorOf(put(plain, at("another"), 1, { values: { a: "plain" } }))).code).toBe("encryption-required");
    expect(textOf(await readRows(database))).not.toContain("plain");
  });
});

test("an encrypted database keeps every checkpoint as it was put, by two writers", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.nat(1)), { minLength: 4, maxLength: 10 }), async (steps) => {
      const options = { name: freshName(), encryption: { key: await newKey() } };
      const savers = [openSaver("inline", options), openSaver("worker", options)];
      const recorded = new RecordedThread("thread", true);
      for (const [each, writer] of steps) await recorded.put(savers[writer]!, each);
      for (const saver of savers) {
        await recorded.check(saver);
        expect((await saver.verify()).problems).toStrictEqual([]);
      }
      await Promise.all(savers.map((saver) => saver.close()));
      await deleteDatabase(options.name);
    }),
    runs(6),
  );
});

describe("Rows of an encrypted database", () => {
  const it = databaseTest;

  it("cannot be exchanged, nor be put in plain", async ({ open, database, reopen }) => {
    const encryption = { key: await newKey() };
    await fill(open({ encryption, worker: false }), "one", 70, "one");
    await fill(open({ encryption, worker: false }), "two", 70, "two");
    const copy = `${database} copy`;
    await fill(open({ encryption, worker: false, name: copy }), "one", 2, "one");
    await fill(open({ worker: false, name: `${database} plain` }), "plain", 70, "one");
    await reopen();
    const rows = await rowsOf(database);
    const plain = await rowsOf(`${database} plain`);
    const foreign = await rowsOf(copy);
    for (const store of ["checkpoints", "writes", "blocks", "content"]) {
      const [first, ...others] = rows.filter((row) => row.store === store);
      const inner = (row: Row) => (store === "checkpoints" ? { ...(first!.value as object), body: sealedIn(row.value) } : row.value);
      const given = [...others.slice(0, 1), ...[plain, foreign].flatMap((from) => from.find((row) => row.store === store) ?? [])];
      for (const other of given) {
        await writeRow(database, { ...first!, value: inner(other) });
        const saver = open({ encryption, worker: false });
        expect((await saver.verify()).problems.filter(({ code }) => code === "damaged").map((problem) => problem.store)).toStrictEqual([store]);
        await saver.close();
      }
      await writeRow(database, first!);
    }
    const saver = open({ encryption, worker: false });
    expect((await saver.verify()).problems).toStrictEqual([]);
    await saver.close();
    for (const name of [copy, `${database} plain`]) await deleteDatabase(name);
  });

  it("cannot be put at another place of the lineage, nor a thread's under another's key", async ({ open, database, reopen }) => {
    const encryption = { key: await newKey() };
    await fill(open({ encryption, worker: false }), "one", 3, "one");
    await reopen();
    const rows = await rowsOf(database);
    const row = rows.find(({ store }) => store === "checkpoints")!;
    const { lineage, body } = row.value as { lineage: [number, string, number, number]; body: Uint8Array };
    await writeRow(database, { ...row, value: { lineage: [...lineage.slice(0, 3), 40], body } });
    const there = rows.find(({ store }) => store === "threads")!;
    await writeRow(database, { ...there, key: "another" });
    const saver = open({ encryption, worker: false });
    const damaged = (await saver.verify()).problems.filter(({ code }) => code === "damaged");
    expect(damaged.map(({ store }) => store).toSorted()).toStrictEqual(["checkpoints", "threads"]);
    expect((await errorOf(saver.getTuple(at("one", "", 1)))).code).toBe("damaged");
    expect(await messagesOf(saver, "one")).toBe(3);
  });

  it("whose byte was changed are damaged, and the others stay readable", async ({ open, database, reopen }) => {
    const encryption = { key: await newKey() };
    await fill(open({ encryption, worker: false }), "one", 3);
    await reopen();
    const row = (await rowsOf(database)).find(({ store }) => store === "checkpoints")!;
    for (const place of [0, 1, 13, -1]) {
      const body = sealedIn(row.value).slice();
      body[body.length + (place < 0 ? place : place - body.length)]! ^= 1;
      await writeRow(database, { ...row, value: { ...(row.value as object), body } });
      const saver = open({ encryption, worker: false });
      expect((await errorOf(saver.getTuple(at("thread", "", 1)))).code).toBe("damaged");
      expect(await messagesOf(saver)).toBe(3);
      await saver.close();
    }
  });

  it("are lost without the data keys, and that is an error", async ({ open, database, reopen }) => {
    const encryption = { key: await newKey() };
    const saver = open({ encryption, worker: false });
    await fill(saver, "one", 1);
    await deleteRow(database, (await metaOf(database)).find(({ key }) => key === "encryption")!);
    expect((await errorOf(saver.getTuple(thread))).code).toBe("database-lost");
    expect((await errorOf(put(saver, thread, 2))).code).toBe("database-lost");
    await reopen();
    expect((await errorOf(open({ encryption, worker: false }).getTuple(thread))).code).toBe("database-lost");
  });
});

describe("Another key", () => {
  const it = databaseTest;

  it("is the only one afterwards, and the old data key is gone", async ({ open, database }) => {
    const [from, to] = [await newKey(), await newKey()];
    const old = open({ encryption: { key: from }, worker: false });
    await fill(old, "secret", 70);
    const before = new Map((await rowsOf(database)).map((row) => [JSON.stringify([row.store, row.key]), sealedIn(row.value)]));
    await reencrypt({ name: database, from, to });
    for (const row of await rowsOf(database)) expect(sealedIn(row.value)).not.toStrictEqual(before.get(JSON.stringify([row.store, row.key])));
    expect((await errorOf(old.getTuple(thread))).code).toBe("wrong-key");
    expect((await errorOf(put(old, thread, 100))).code).toBe("wrong-key");
    const saver = open({ encryption: { key: to }, worker: false });
    expect(await messagesOf(saver)).toBe(70);
    expect((await saver.verify()).problems).toStrictEqual([]);
    await reencrypt({ name: database, from, to }); // done already
    expect((await errorOf(reencrypt({ name: database, from, to: await newKey() }))).code).toBe("wrong-key");
  });

  it("is that of kept histories and of half an import too", async ({ open, database }) => {
    const [from, to] = [await newKey(), await newKey()];
    const old = open({ encryption: { key: from }, worker: false });
    await fill(old, "secret", 70);
    await old.threads.prune({ threads: ["thread"], keepLast: 10 });
    const file = await new Response(old.threads.export()).blob();
    const own = await readRows(database);
    let staged: Row[] = [];
    let after: Row[] = [];
    let begun = (): void => undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const flush = async (): Promise<void> => {
      await beginning;
      staged = await rowsOf(database);
      await reencrypt({ name: database, from, to });
      after = await rowsOf(database);
    };
    const importing = old.threads.import(file.stream().pipeThrough(new TransformStream({ flush })), {
      mode: "new-id",
      onProgress: ({ checkpoints }) => {
        if (checkpoints === 10) begun();
      },
    });
    expect((await errorOf(importing)).code).toBe("wrong-key");
    expect(staged.filter(({ store }) => store === "pasts").length).toBe(2 * own.filter(({ store }) => store === "pasts").length);
    expect(after.map(({ store, key }) => [store, key])).toStrictEqual(staged.map(({ store, key }) => [store, key]));
    for (const [index, { value }] of staged.entries()) expect(sealedIn(after[index]!.value)).not.toStrictEqual(sealedIn(value));
    const saver = open({ encryption: { key: to }, worker: false });
    expect((await saver.verify()).problems).toStrictEqual([]);
    expect((await saver.threads.import(file)).threads).toMatchObject([{ outcome: "unchanged" }]);
  });

  it("encrypts a database that was not", async ({ open, database }) => {
    const plain = open({ worker: false });
    await fill(plain, "secret", 70);
    const to = await newKey();
    await reencrypt({ name: database, to });
    expect(textOf(await readRows(database))).not.toContain("secret");
    expect((await errorOf(plain.getTuple(thread))).code).toBe("encryption-required");
    expect((await errorOf(put(plain, at("new"), 1))).code).toBe("encryption-required");
    const saver = open({ encryption: { key: to }, worker: false });
    expect(await messagesOf(saver)).toBe(70);
    expect((await saver.verify()).problems).toStrictEqual([]);
    await reencrypt({ name: database, to });
  });

  it.for([false, true])("cut short after any transaction, is taken up again, with others writing (from another key: %s)", async (isEncrypted, { database, open, reopen }) => {
    const first = isEncrypted ? await newKey() : undefined;
    await fill(open({ worker: false, ...(first === undefined ? {} : { encryption: { key: first } }) }), "secret", 40);
    await reopen();
    const to = await newKey();
    const from = first === undefined ? {} : { from: first };
    let written = 40;
    for (let transactions = 0, isDone = false; !isDone; transactions += 1) {
      failCommits({ count: forGood, error: "UnknownError", after: transactions });
      isDone = await reencrypt({ name: database, ...from, to }).then(() => true, () => false);
      failCommits({ count: 0 });
      const keys = isDone ? [to] : [first ?? to, ...((await opens(open, to)) ? [to] : [])];
      for (const key of keys) {
        const saver = open({ encryption: { key }, worker: false });
        if (first === undefined && !(await opens(open, to))) continue;
        await put(saver, at("thread", "", written), written + 1, { values: { messages: Array.from({ length: ++written }, (_, n) => `secret message ${n}`) } });
        expect(await messagesOf(saver)).toBe(written);
        expect((await saver.verify()).problems).toStrictEqual([]);
        await saver.close();
      }
    }
    expect(written).toBeGreaterThan(44);
    expect(textOf(await readRows(database))).not.toContain("secret");
  });

  async function opens(open: (options: object) => IndexedDBSaver, key: CryptoKey): Promise<boolean> {
    const saver = open({ encryption: { key }, worker: false });
    const isOpen = await saver.getTuple(thread).then(() => true, () => false);
    await saver.close();
    return isOpen;
  }

  it("is changed to while savers with the old key and the new one write", async ({ open, database }) => {
    const [from, to] = [await newKey(), await newKey()];
    const old = open({ encryption: { key: from } });
    await fill(old, "secret", 30);
    const writers = [old, open({ encryption: { key: from }, worker: false })];
    let isOver = false;
    const changing = reencrypt({ name: database, from, to }).finally(() => {
      isOver = true;
    });
    const acknowledged: string[] = [];
    const write = async (saver: IndexedDBSaver, name: string) => {
      for (let n = 1; !isOver || n < 4; n += 1) {
        const outcome = await put(saver, at(name, "", n - 1), n, { values: { list: [`${name} ${n}`] } }).then(() => "stored", ({ code }: CheckpointError) => code);
        if (outcome === "stored") acknowledged.push(`${name} ${n}`);
        else return expect(outcome).toBe("wrong-key");
      }
    };
    await Promise.all([changing, ...writers.map((saver, n) => write(saver, `writer ${n}`))]);
    const saver = open({ encryption: { key: to }, worker: false });
    for (const each of acknowledged) {
      const [, name = "", n = ""] = /(.*) (\d+)$/.exec(each) ?? [];
      expect(await valuesAt(saver, at(name, "", Number(n)))).toStrictEqual({ list: [each] });
    }
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(await messagesOf(saver)).toBe(30);
    expect((await saver.verify()).problems).toStrictEqual([]);
  });

  it("of two that are changed to at once, one is the key afterwards", async ({ open, database }) => {
    const [from, one, two] = [await newKey(), await newKey(), await newKey()];
    const old = open({ encryption: { key: from }, worker: false });
    await fill(old, "secret", 40);
    const outcomes = await Promise.allSettled([one, two].map((to) => reencrypt({ name: database, from, to }).then(() => to)));
    expect(outcomes.flatMap((outcome) => (outcome.status === "rejected" ? (outcome.reason as CheckpointError).code : []))).toStrictEqual(["wrong-key"]);
    const [key] = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : []));
    const saver = open({ encryption: { key: key! }, worker: false });
    expect(await messagesOf(saver)).toBe(40);
    expect((await saver.verify()).problems).toStrictEqual([]);
  });
});

describe("Keys", () => {
  test("from the same passphrase are the same, for one database", async () => {
    const [name, other] = [freshName(), freshName()];
    const config = at("thread", "", 1);
    const saver = async (database: string, passphrase: string) => openWith(database, await keyFromPassphrase({ name: database, passphrase }));
    const first = await saver(name, "correct horse");
    await put(first, thread, 1, { values: { a: "secret" } });
    const second = await saver(name, "correct horse");
    expect(await valuesAt(second, config)).toStrictEqual({ a: "secret" });
    const wrong = await saver(name, "battery staple");
    expect((await errorOf(wrong.getTuple(config))).code).toBe("wrong-key");
    const elsewhere = openWith(name, await keyFromPassphrase({ name: other, passphrase: "correct horse" }));
    expect((await errorOf(elsewhere.getTuple(config))).code).toBe("wrong-key");
    const derivation = (await metaOf(name)).find(({ key }) => key === "passphrase");
    expect(derivation?.value).toMatchObject({ salt: { length: 16 }, iterations: 600_000 });
    await Promise.all([first, second, wrong, elsewhere].map((each) => each.close()));
    for (const each of [name, other]) await deleteDatabase(each);
    expect((await errorOf(keyFromPassphrase({ name, passphrase: "" }))).code).toBe("invalid-config");
  });

  test("of this device are made once, cannot be extracted, and can be forgotten", async () => {
    const name = freshName();
    const keys = await Promise.all([deviceKey({ name }), deviceKey({ name })]);
    expect(keys.map(({ extractable }) => extractable)).toStrictEqual([false, false]);
    const saver = openWith(name, keys[0]);
    await put(saver, thread, 1, { values: { a: 1 } });
    const again = openWith(name, await deviceKey({ name }));
    expect(await valuesAt(again, thread)).toStrictEqual({ a: 1 });
    const second = await deviceKey({ name, id: "2" });
    await reencrypt({ name, from: keys[1], to: second });
    await forgetDeviceKey({ name });
    const changed = openWith(name, await deviceKey({ name, id: "2" }));
    expect(await valuesAt(changed, thread)).toStrictEqual({ a: 1 });
    const other = openWith(name, await deviceKey({ name }));
    expect((await errorOf(other.getTuple(thread))).code).toBe("wrong-key");
    await Promise.all([saver, again, changed, other].map((each) => each.close()));
    await Promise.all([forgetDeviceKey({ name }), forgetDeviceKey({ name, id: "2" })]);
    await deleteDatabase(name);
  });

  test("are not to be had without WebCrypto", async () => {
    const own = Object.getOwnPropertyDescriptor(crypto, "subtle");
    Object.defineProperty(crypto, "subtle", { value: undefined, configurable: true });
    try {
      expect((await errorOf(deviceKey({ name: "never opened" }))).code).toBe("crypto-unavailable");
      expect((await errorOf(keyFromPassphrase({ name: "never opened", passphrase: "one" }))).code).toBe("crypto-unavailable");
    } finally {
      Reflect.deleteProperty(crypto, "subtle");
      if (own !== undefined) Object.defineProperty(crypto, "subtle", own);
    }
  });

  test("that cannot be used are refused when the saver is made", async () => {
    const decryptOnly = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["decrypt"]);
    const other = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    for (const key of [decryptOnly, other, "a passphrase", undefined]) {
      expect(codeOf(() => openWith("never opened", key as CryptoKey))).toBe("invalid-config");
      expect((await errorOf(reencrypt({ name: "never opened", to: key as CryptoKey }))).code).toBe("invalid-config");
    }
    expect(await connect("never opened").then(() => "there", () => "not there")).toBe("not there");
  });
});

test("a thread store has the same option", async () => {
  const name = freshName();
  const encryption = { key: await newKey() };
  const channels = { messages: delta(messagesReducer), title: lastValue<string>() };
  const threads = new ThreadStore({ name, channels, encryption, worker: workerOption });
  const step = await threads.thread("t").append({ messages: { id: "m", role: "user", content: "a secret" }, title: "a secret" });
  await threads.update("t", { title: "a secret" });
  const other = new ThreadStore({ name, channels, encryption, worker: false });
  expect(await other.thread("t").values({ at: step })).toMatchObject({ messages: [{ id: "m", content: "a secret" }], title: "a secret" });
  expect(await other.list()).toMatchObject([{ id: "t", title: "a secret", checkpoints: 1 }]);
  expect(textOf(await readRows(name))).not.toContain("secret");
  await Promise.all([threads.close(), other.close()]);
  await deleteDatabase(name);
});

function openWith(name: string, key: CryptoKey): IndexedDBSaver {
  return openSaver("inline", { name, encryption: { key } });
}
