import { expect } from "vitest";
import type { PruneReport, ThreadStore } from "../../src/threads/index.ts";
import { at, put } from "../support/checkpoints.ts";
import { contract } from "../support/contract.ts";
import { errorOf } from "../support/errors.ts";
import { byteArrays, readRows, writeRow } from "../support/raw-database.ts";
import { chat, say, threadContract } from "../support/thread-stores.ts";

type Store = ThreadStore<typeof chat>;

async function talk(threads: Store, id: string, steps: number): Promise<string[]> {
  const thread = threads.thread(id);
  const stored: string[] = [];
  for (let n = 1; n <= steps; n += 1) stored.push(await thread.append({ messages: say(`${id} ${n}`, `${id} says ${n} `.repeat(20)) }));
  return stored;
}

const idsOf = async (threads: Store, id: string): Promise<string[]> => {
  const found: string[] = [];
  for await (const step of threads.thread(id).history()) found.unshift(step.id);
  return found;
};

const tick = () => new Promise((resolve) => setTimeout(resolve, 2));

threadContract("Pruning", (it) => {
  it("keeps the last checkpoints of each thread, and their whole state", async ({ threads, open }) => {
    const [a, b] = [await talk(threads, "a", 6), await talk(threads, "b", 2)];
    const states = await Promise.all(a.slice(-3).map((id) => threads.thread("a").values({ at: id })));
    const report = await threads.prune({ keepLast: 3 });
    expect(report).toStrictEqual({ threads: [{ id: "a", checkpoints: 3, bytes: expect.any(Number), deleted: false }], bytes: expect.any(Number), damaged: [] });
    for (const reader of [threads, open({ channels: chat })]) {
      expect(await idsOf(reader, "a")).toStrictEqual(a.slice(-3));
      expect(await Promise.all(a.slice(-3).map((id) => reader.thread("a").values({ at: id })))).toStrictEqual(states);
      expect(await idsOf(reader, "b")).toStrictEqual(b);
    }
    expect((await errorOf(threads.thread("a").values({ at: a[0]! }))).code).toBe("unknown-checkpoint");
    const [first] = a.slice(-3);
    const steps = [];
    for await (const step of threads.thread("a").history()) steps.push(step);
    expect(steps.at(-1)).toMatchObject({ id: first, parent: a[2] });
    expect(steps.at(-1)!.writes).toMatchObject([{ channel: "messages", value: states[0]!.messages }]);
  });

  it("keeps those that are young enough, and the ends of branches unless told otherwise", async ({ threads }) => {
    const stored = await talk(threads, "t", 4);
    const fork = await threads.thread("t").fork(stored[0]!).append({ messages: say("fork") });
    await threads.prune({ keepFor: 3_600_000 });
    expect((await threads.get("t"))?.checkpoints).toBe(5);
    await tick();
    await threads.prune({ keepFor: 0 });
    expect((await threads.thread("t").branches()).map(({ tip, length }) => [tip, length])).toStrictEqual([[stored[3], 1], [fork, 1]]);
    await threads.prune({ keepLast: 1, keepTips: false });
    expect((await threads.thread("t").branches()).map(({ tip }) => tip)).toStrictEqual([fork]);
    expect((await threads.thread("t").values()).messages.map(({ id }) => id)).toStrictEqual(["t 1", "fork"]);
  });

  it("leaves pinned threads alone, unless they are named", async ({ threads, open }) => {
    for (const id of ["pinned", "other"]) await talk(threads, id, 3);
    await threads.update("pinned", { pinned: true, title: "Kept" });
    await threads.update("pinned", { metadata: { a: 1 } });
    expect(await open({ channels: chat }).get("pinned")).toMatchObject({ pinned: true, title: "Kept", metadata: { a: 1 } });
    await threads.prune({ keepLast: 1 });
    expect((await threads.list()).map(({ id, pinned, checkpoints }) => [id, pinned, checkpoints])).toStrictEqual([["pinned", true, 3], ["other", false, 1]]);
    await threads.prune({ keepLast: 1, threads: ["pinned"] });
    expect((await threads.get("pinned"))?.checkpoints).toBe(1);
    await threads.update("pinned", { pinned: false });
    expect(await threads.get("pinned")).toMatchObject({ pinned: false, title: "Kept" });
  });

  it("deletes whole threads until a budget is met: those that were written to longest ago, no pinned one, and not the last", async ({ threads }) => {
    for (const id of ["a", "b", "c", "d"]) {
      await talk(threads, id, 3);
      await tick();
    }
    await threads.update("b", { pinned: true });
    await tick();
    await talk(threads, "d", 1);
    const sizes = new Map((await threads.list()).map(({ id, bytes }) => [id, bytes]));
    const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    const dry = await threads.prune({ maxBytes: total - 1, dryRun: true });
    expect(dry).toStrictEqual({ threads: [{ id: "a", checkpoints: 3, bytes: sizes.get("a"), deleted: true }], bytes: sizes.get("a"), damaged: [] });
    expect(await threads.list()).toHaveLength(4);
    expect(await threads.prune({ maxBytes: total - 1 })).toStrictEqual(dry);
    expect((await threads.list()).map(({ id }) => id).sort()).toStrictEqual(["b", "c", "d"]);
    await threads.prune({ maxBytes: 0 });
    expect((await threads.list()).map(({ id }) => id).sort()).toStrictEqual(["b", "d"]);
  });

  it("does not count as a use, and tells who watches", async ({ threads }) => {
    await talk(threads, "a", 3);
    await tick();
    await talk(threads, "b", 1);
    const changes: unknown[] = [];
    const seen = new Promise<void>((resolve) => {
      threads.watch((change) => {
        changes.push(change);
        resolve();
      });
    });
    const before = await threads.get("a");
    await threads.prune({ keepLast: 1 });
    await seen;
    expect(changes).toStrictEqual([{ thread: "a", kind: "removed", namespace: "" }]);
    expect((await threads.get("a"))?.updated).toStrictEqual(before?.updated);
    expect((await threads.list()).map(({ id }) => id)).toStrictEqual(["b", "a"]);
  });

  it("is refused for a policy that makes no sense, and ends with its signal", async ({ threads, open }) => {
    await talk(threads, "a", 2);
    const wrong = [{}, { keepLast: 0 }, { keepLast: 1.5 }, { keepFor: -1 }, { maxBytes: Number.NaN }, { maxBytes: 1, threads: ["a"] }, { keepTips: false }];
    for (const options of wrong) expect((await errorOf(threads.prune(options))).code).toBe("invalid-config");
    expect(() => open({ channels: chat, retention: { keepLast: 0 } })).toThrow(expect.objectContaining({ code: "invalid-config" }));
    const reason = new Error("enough");
    await expect(threads.prune({ keepLast: 1, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect((await threads.get("a"))?.checkpoints).toBe(2);
  });

  it("leaves a damaged thread as it is, names it, and prunes the others", async ({ threads, open, database }) => {
    for (const id of ["a", "b"]) await talk(threads, id, 3);
    await threads.close();
    const row = (await readRows(database)).find(({ store }) => store === "checkpoints")!;
    const [bytes] = byteArrays((row.value as { body: Uint8Array }).body);
    bytes!.set([bytes!.at(-1)! ^ 1], bytes!.length - 1);
    await writeRow(database, row);
    const again = open({ channels: chat });
    const { damaged, threads: pruned } = await again.prune({ keepLast: 1 });
    expect([...damaged, ...pruned.map(({ id }) => id)].sort()).toStrictEqual(["a", "b"]);
    expect((await again.list()).map(({ id, checkpoints }) => [id, checkpoints])).toContainEqual([damaged[0], 3]);
    expect((await errorOf(again.deleteForRuns(["none"]))).code).toBe("damaged");
  });

  it("copies a thread with its title, unpinned", async ({ threads }) => {
    const stored = await talk(threads, "a", 3);
    await threads.update("a", { title: "A", metadata: { x: 1 }, pinned: true });
    await threads.copy("a", "b");
    expect(await threads.get("b")).toMatchObject({ title: "A", metadata: { x: 1 }, pinned: false, checkpoints: 3 });
    expect(await idsOf(threads, "b")).toStrictEqual(stored);
    await threads.thread("b").append({ messages: say("more") });
    expect((await threads.thread("a").values()).messages).toHaveLength(3);
    expect((await threads.thread("b").values()).messages).toHaveLength(4);
  });

  it("is done by itself, and ends with the store", async ({ threads, open }) => {
    await talk(threads, "a", 5);
    const pruned: PruneReport[] = [];
    const done = await new Promise<PruneReport>((resolve, reject) => {
      const upkeep = open({
        channels: chat,
        retention: {
          keepLast: 2,
          every: 5,
          onPruned: (report) => {
            pruned.push(report);
            resolve(report);
          },
          onError: reject,
        },
      });
      void upkeep.get("a");
    });
    expect(done.threads).toMatchObject([{ id: "a", checkpoints: 3 }]);
    expect(pruned).toHaveLength(1);
    expect((await threads.get("a"))?.checkpoints).toBe(2);
  });
});

contract("Pruning subgraphs", (it) => {
  it("leaves out what belonged to steps that went, and keeps what a subgraph remembers from run to run", async ({ saver }) => {
    const task = (n: number) => `child:task-${n}`;
    for (let n = 1; n <= 4; n += 1) {
      const parent = await put(saver, at("t", "", n === 1 ? undefined : n - 1), n);
      const id = parent.configurable!["checkpoint_id"] as string;
      await put(saver, at("t", task(n)), n, { metadata: { parents: { "": id } } });
      await put(saver, at("t", "remembers", n === 1 ? undefined : n - 1), n, { metadata: { parents: { "": id } } });
    }
    await saver.threads.prune({ keepLast: 2 });
    const namespaces: string[] = [];
    for (const namespace of ["", "remembers", task(1), task(2), task(3), task(4)]) {
      for await (const { checkpoint } of saver.list(at("t", namespace))) namespaces.push(`${namespace} ${Number(checkpoint.id.slice(-12))}`);
    }
    expect(namespaces).toStrictEqual([" 4", " 3", "remembers 4", "remembers 3", `${task(3)} 3`, `${task(4)} 4`]);
    expect((await saver.verify()).problems).toStrictEqual([]);
  });
});
