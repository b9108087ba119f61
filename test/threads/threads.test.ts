import { expect } from "vitest";
import { delta, type ThreadChange, type ThreadInfo } from "../../src/threads/index.ts";
import { contract } from "../support/contract.ts";
import { errorOf } from "../support/errors.ts";
import { byteArrays, readRows, writeRow } from "../support/raw-database.ts";
import { chat, say, threadContract } from "../support/thread-stores.ts";

threadContract("The list of threads", (it) => {
  it("has those first that were written to last, with what is said of them", async ({ threads, open }) => {
    for (const id of ["a", "b", "c"]) {
      await threads.thread(id).append({ messages: say(id) });
      await tick();
    }
    await threads.update("a", { title: "First", metadata: { pinned: true, since: new Date(5) } });
    await tick();
    await threads.update("empty", { title: "Not begun" });
    const listed = await open({ channels: chat }).list();
    expect(listed.map(({ id, title, checkpoints }) => [id, title, checkpoints])).toStrictEqual([
      ["empty", "Not begun", 0],
      ["a", "First", 1],
      ["c", undefined, 1],
      ["b", undefined, 1],
    ]);
    expect(listed[1]).toStrictEqual({
      id: "a",
      title: "First",
      metadata: { pinned: true, since: new Date(5) },
      created: expect.any(Date),
      updated: expect.any(Date),
      checkpoints: 1,
      bytes: expect.any(Number),
      pinned: false,
      isDamaged: false,
    });
    expect(listed[2]?.metadata).toStrictEqual({});
    expect(await threads.get("a")).toStrictEqual(listed[1]);
    expect(await threads.get("none")).toBeUndefined();
  });

  it("comes in pages", async ({ threads }) => {
    for (let index = 0; index < 7; index++) await threads.update(`t${index}`, { title: String(index) });
    const pages: ThreadInfo[][] = [];
    for (let after: ThreadInfo | undefined; pages.length < 4; after = pages.at(-1)?.at(-1)) {
      pages.push(await threads.list({ limit: 3, ...(after === undefined ? {} : { after }) }));
    }
    expect(pages.map(({ length }) => length)).toStrictEqual([3, 3, 1, 0]);
    expect(new Set(pages.slice(0, 3).flat().map(({ id }) => id)).size).toBe(7);
    expect((await errorOf(threads.list({ limit: 0 }))).code).toBe("invalid-config");
  });

  it("keeps what an update does not name, and drops what it sets to null", async ({ threads, open }) => {
    await threads.update("t", { title: "Title", metadata: { a: 1 } });
    await Promise.all([threads.update("t", { title: "Other" }), open({ channels: chat }).update("t", { metadata: { a: 2 } })]);
    expect(await threads.get("t")).toMatchObject({ title: "Other", metadata: { a: 2 } });
    await threads.update("t", { title: null });
    expect(await threads.get("t")).not.toHaveProperty("title");
    await threads.update("t", { metadata: null });
    expect((await threads.get("t"))?.metadata).toStrictEqual({});
    await threads.thread("t").append({ messages: say("a") });
    expect((await errorOf(threads.update("t", { metadata: { f: () => undefined } }))).code).toBe("unsupported-value");
    expect((await errorOf(threads.update("t", { title: "\ud800" }))).code).toBe("invalid-config");
  });

  it("names a thread whose row is damaged, beside the others, and that one can be deleted", async ({ threads, open, database }) => {
    for (const id of ["a", "b"]) await threads.update(id, { title: id });
    await threads.close();
    const row = (await readRows(database)).find(({ store, key }) => store === "threads" && key === "a")!;
    const [bytes] = byteArrays(row.value);
    bytes!.set([bytes!.at(-1)! ^ 1], bytes!.length - 1);
    await writeRow(database, row);
    const again = open({ channels: chat });
    expect((await again.list()).map(({ id, title, isDamaged }) => [id, title, isDamaged])).toStrictEqual([["b", "b", false], ["a", undefined, true]]);
    expect(await again.get("a")).toMatchObject({ isDamaged: true });
    await again.delete("a");
    expect((await again.list()).map(({ id }) => id)).toStrictEqual(["b"]);
  });

  it("has a deleted thread no more, and nothing is left of it", async ({ threads }) => {
    await threads.thread("t").append({ messages: say("a") });
    await threads.update("t", { title: "x" });
    await threads.delete("t");
    expect(await threads.list()).toStrictEqual([]);
    expect(await threads.thread("t").values()).toStrictEqual({ messages: [] });
    await threads.thread("t").append({ messages: say("b") });
    expect(await threads.get("t")).toMatchObject({ checkpoints: 1 });
    expect(await threads.get("t")).not.toHaveProperty("title");
  });
});

threadContract("Who watches", (it) => {
  it("is told what was committed, by any store of the database", async ({ threads, open }) => {
    const seen: ThreadChange[] = [];
    const other = open({ channels: chat });
    const [stop, stopOne] = [other.watch((change) => seen.push(change)), other.watch((change) => seen.push({ ...change, thread: "only t" }), { thread: "t" })];
    const id = await threads.thread("t").append({ messages: say("a") });
    await threads.update("t", { title: "x" });
    await threads.update("u", { title: "y" });
    await threads.delete("t");
    await expect.poll(() => seen.length).toBe(7);
    const all: ThreadChange[] = [
      { thread: "t", kind: "checkpoint", namespace: "", checkpoint: id },
      { thread: "t", kind: "thread" },
      { thread: "u", kind: "thread" },
      { thread: "t", kind: "deleted" },
    ];
    expect(seen.filter(({ thread }) => thread !== "only t")).toStrictEqual(all);
    expect(seen.filter(({ thread }) => thread === "only t").map(({ kind }) => kind)).toStrictEqual(["checkpoint", "thread", "deleted"]);
    stopOne();
    stop();
    await threads.update("t", { title: "z" });
    await tick();
    expect(seen).toHaveLength(7);
  });

  it("is not told of what was not stored", async ({ threads }) => {
    const seen: ThreadChange[] = [];
    threads.watch((change) => seen.push(change));
    const [one, other] = [threads.thread("t"), threads.thread("t")];
    await Promise.all([one.values(), other.values()]);
    await one.append({ title: "a" });
    await errorOf(other.append({ title: "b" }));
    await threads.delete("never there");
    await threads.update("end", { title: "x" });
    await expect.poll(() => seen.at(-1)?.thread).toBe("end");
    expect(seen.map(({ kind }) => kind)).toStrictEqual(["checkpoint", "thread"]);
  });
});

contract("Who watches a saver", (it) => {
  it("is told of checkpoints and of writes", async ({ saver }) => {
    const seen: ThreadChange[] = [];
    saver.threads.watch((change) => seen.push(change));
    const config = { configurable: { thread_id: "t", checkpoint_ns: "sub", checkpoint_id: "1ef00000-0000-6000-8000-000000000001" } };
    await saver.putWrites(config, [["a", 1]], "task");
    await saver.deleteThread("t");
    await expect.poll(() => seen.length).toBe(2);
    expect(seen).toStrictEqual([
      { thread: "t", kind: "writes", namespace: "sub", checkpoint: config.configurable.checkpoint_id },
      { thread: "t", kind: "deleted" },
    ]);
  });
});

threadContract("The usage of a thread", (it) => {
  it("counts content once, and full copies as often as there are checkpoints", async ({ threads }) => {
    const thread = threads.thread("t");
    const text = "x".repeat(1000);
    for (let step = 0; step < 50; step++) await thread.append({ messages: say(String(step), text) });
    const { checkpoints, content, bookkeeping, writes, copies, steps } = await threads.usage("t");
    expect(checkpoints).toBe(50);
    expect(content).toBeGreaterThan(50 * 1000);
    expect(content).toBeLessThan(50 * 1100);
    expect(bookkeeping).toBeLessThan(50 * 600);
    expect(writes).toBeGreaterThan(0);
    expect(writes).toBeLessThan(bookkeeping);
    expect(copies).toBeGreaterThan(((50 * 51) / 2) * 1000);
    expect(steps.map(({ checkpoint }) => checkpoint)).toStrictEqual([...steps.map(({ checkpoint }) => checkpoint)].sort());
    expect(steps.at(-1)).toStrictEqual({ checkpoint: thread.head, content: expect.any(Number), stored: expect.any(Number), copies, snapshot: true });
    expect(steps.at(-1)!.content).toBeGreaterThan(50 * 1000);
    expect(await threads.usage("none")).toStrictEqual({ checkpoints: 0, content: 0, bookkeeping: 0, writes: 0, copies: 0, steps: [] });
  });
});

threadContract("The usage of a thread with a delta channel", (it) => {
  it("counts the whole value of every checkpoint as a copy, stored or not, and what was written as content", async ({ open }) => {
    const texts = delta((state: readonly string[], writes: readonly string[]) => [...state, ...writes], { snapshotFrequency: 40 });
    const threads = open({ channels: { texts } });
    const thread = threads.thread("t");
    const ids: string[] = [];
    for (let step = 0; step < 100; step++) ids.push(await thread.append({ texts: `${step} ${"x".repeat(1000)}` }));
    const fork = thread.fork(ids[9]!);
    await fork.append({ texts: "y".repeat(1000) });
    const { content, copies, steps } = await threads.usage("t");
    const whole = ((100 * 101) / 2 + 11) * 1000;
    expect(copies / whole).toBeGreaterThan(1);
    expect(copies / whole).toBeLessThan(1.05);
    expect(steps[99]!.content / content).toBeGreaterThan(0.95);
    expect(steps[49]!.content / content).toBeGreaterThan(0.45);
    expect(steps[49]!.content / content).toBeLessThan(0.55);
    expect(steps.flatMap(({ snapshot }, step) => (snapshot ? [step] : []))).toStrictEqual([0, 40, 80, 100]);
  });
});

/** Time for another millisecond, and for messages to arrive. */
function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
