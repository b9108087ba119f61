import { DeltaSnapshot, isDeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { expect } from "vitest";
import { at, checkpointId, historyOf, put, tupleAt, writesOf } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";

const thread = at("thread");

contract("The history of a delta channel", (it) => {
  it("holds the writes on the path, oldest first, without the target's own", async ({ saver }) => {
    const first = await put(saver, thread, 1);
    await saver.putWrites(first, [["items", "a"]], "task");
    const second = await put(saver, first, 2);
    await saver.putWrites(second, [["items", "b"]], "task");
    const third = await put(saver, second, 3);
    await saver.putWrites(third, [["items", "pending"]], "task");

    expect(await historyOf(saver, third, "items")).toStrictEqual({
      writes: [
        ["task", "items", "a"],
        ["task", "items", "b"],
      ],
    });
  });

  it("starts at the nearest stored value and includes the writes of the checkpoint that holds it", async ({ saver }) => {
    const first = await put(saver, thread, 1);
    await saver.putWrites(first, [["items", "before the seed"]], "task");
    const second = await put(saver, first, 2, { values: { items: new DeltaSnapshot(["a", "b"]) } });
    await saver.putWrites(second, [["items", "c"]], "task");
    const third = await put(saver, second, 3);

    const { seed, writes } = await historyOf(saver, third, "items");
    expect(isDeltaSnapshot(seed) && seed.value).toStrictEqual(["a", "b"]);
    expect(writes).toStrictEqual([["task", "items", "c"]]);
  });

  it("does not take the target's own value for its seed", async ({ saver }) => {
    const first = await put(saver, thread, 1, { values: { items: new DeltaSnapshot(["seed"]) } });
    const second = await put(saver, first, 2, { values: { items: new DeltaSnapshot(["own"]) } });

    expect((await historyOf(saver, second, "items")).seed).toStrictEqual(new DeltaSnapshot(["seed"]));
  });

  it("ends for each channel at that channel's own nearest stored value", async ({ saver }) => {
    const first = await put(saver, thread, 1, { values: { old: new DeltaSnapshot(["old"]), fresh: new DeltaSnapshot(["stale"]) } });
    await saver.putWrites(first, [["old", 1], ["fresh", 1]], "task");
    const second = await put(saver, first, 2, { values: { fresh: new DeltaSnapshot(["fresh"]) } });
    await saver.putWrites(second, [["old", 2], ["fresh", 2], ["never", 2]], "task");
    const third = await put(saver, second, 3);

    expect(await saver.getDeltaChannelHistory({ config: third, channels: ["old", "fresh", "never"] })).toStrictEqual({
      old: { seed: new DeltaSnapshot(["old"]), writes: [["task", "old", 1], ["task", "old", 2]] },
      fresh: { seed: new DeltaSnapshot(["fresh"]), writes: [["task", "fresh", 2]] },
      never: { writes: [["task", "never", 2]] },
    });
  });

  it("has an entry for every channel asked for, and no seed key where nothing is stored", async ({ saver }) => {
    const first = await put(saver, thread, 1);
    const second = await put(saver, first, 2);
    const channels = ["items", "toString", "constructor", "__proto__"];

    const history = await saver.getDeltaChannelHistory({ config: second, channels });
    expect(Object.keys(history).toSorted()).toStrictEqual(channels.toSorted());
    for (const channel of channels) {
      expect(Object.getOwnPropertyDescriptor(history, channel)?.value).toStrictEqual({ writes: [] });
    }
    expect(await saver.getDeltaChannelHistory({ config: second, channels: [] })).toStrictEqual({});
  });

  const plain = [0, 7, "", "text", true, false, null, [], [0], { a: 1 }].map((value) => ({ value }));
  it.for(plain)("takes a plain stored $value as the seed and stops there", async ({ value }, { saver }) => {
    const first = await put(saver, thread, 1, { values: { items: new DeltaSnapshot(["too old"]) } });
    await saver.putWrites(first, [["items", "too old"]], "task");
    const second = await put(saver, first, 2, { values: { items: value } });
    await saver.putWrites(second, [["items", "new"]], "task");
    const third = await put(saver, second, 3);

    expect(await historyOf(saver, third, "items")).toStrictEqual({ seed: value, writes: [["task", "items", "new"]] });
  });

  it("is the newest checkpoint's when no checkpoint is named", async ({ saver }) => {
    const first = await put(saver, thread, 1);
    await saver.putWrites(first, [["items", "a"]], "task");
    await put(saver, first, 2);

    expect(await writesOf(saver, thread, "items")).toStrictEqual(["a"]);
    expect(await writesOf(saver, { configurable: { thread_id: "thread" } }, "items")).toStrictEqual(["a"]);
  });

  it("is empty for a checkpoint, and for a thread, that is not there", async ({ saver }) => {
    await put(saver, thread, 1);
    expect(await historyOf(saver, at("thread", "", 9), "items")).toStrictEqual({ writes: [] });
    expect(await historyOf(saver, at("another thread"), "items")).toStrictEqual({ writes: [] });
  });

  it("takes only what is on the path of a fork", async ({ saver }) => {
    const root = await put(saver, thread, 1, { values: { items: new DeltaSnapshot(["root"]) } });
    await saver.putWrites(root, [["items", "shared"]], "task");
    const trunk = await put(saver, root, 2);
    await saver.putWrites(trunk, [["items", "trunk"]], "task");
    const fork = await put(saver, root, 3);
    await saver.putWrites(fork, [["items", "fork"]], "task");
    const trunkHead = await put(saver, trunk, 4);
    const forkHead = await put(saver, fork, 5);

    expect(await writesOf(saver, trunkHead, "items")).toStrictEqual(["shared", "trunk"]);
    expect(await writesOf(saver, forkHead, "items")).toStrictEqual(["shared", "fork"]);
  });

  it("stays right when two branches take turns", async ({ saver }) => {
    const root = await put(saver, thread, 0);
    const heads = [root, root];
    const expected: string[][] = [[], []];
    for (let turn = 1; turn <= 20; turn += 1) {
      const branch = turn % 2;
      const head = heads[branch] ?? root;
      if (head !== root) {
        await saver.putWrites(head, [["items", `turn ${turn}`]], "task");
        expected[branch]?.push(`turn ${turn}`);
      }
      heads[branch] = await put(saver, head, turn);
    }
    expect(await writesOf(saver, heads[0] ?? root, "items")).toStrictEqual(expected[0]);
    expect(await writesOf(saver, heads[1] ?? root, "items")).toStrictEqual(expected[1]);
  });

  it("follows a fork of a fork back to the root", async ({ saver }) => {
    let parent = await put(saver, thread, 0, { values: { items: new DeltaSnapshot([]) } });
    let n = 1;
    for (let branch = 0; branch < 8; branch += 1) {
      await saver.putWrites(parent, [["items", branch]], "task");
      const next = await put(saver, parent, n);
      await put(saver, next, n + 1); // the branch goes on without us
      await put(saver, next, n + 2);
      parent = next;
      n += 3;
    }
    expect(await writesOf(saver, parent, "items")).toStrictEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("ends at a parent that is not there", async ({ saver }) => {
    const orphan = await put(saver, at("thread", "", 1), 2);
    await saver.putWrites(at("thread", "", 1), [["items", "of the missing parent"]], "task");
    await saver.putWrites(orphan, [["items", "a"]], "task");
    const child = await put(saver, orphan, 3);

    expect(await historyOf(saver, child, "items")).toStrictEqual({ writes: [["task", "items", "a"]] });
  });

  it("is complete when a parent comes after its children", async ({ saver }) => {
    const grandchild = await put(saver, at("thread", "", 2), 3);
    await put(saver, at("thread", "", 1), 2);
    await put(saver, thread, 1, { values: { items: new DeltaSnapshot(["seed"]) } });
    await saver.putWrites(at("thread", "", 1), [["items", "a"]], "task");
    await saver.putWrites(at("thread", "", 2), [["items", "b"]], "task");

    expect(await historyOf(saver, grandchild, "items")).toStrictEqual({
      seed: new DeltaSnapshot(["seed"]),
      writes: [["task", "items", "a"], ["task", "items", "b"]],
    });
  });

  it("follows a checkpoint that is put again under another parent", async ({ saver }) => {
    const left = await put(saver, thread, 1);
    const right = await put(saver, thread, 2);
    await saver.putWrites(left, [["items", "left"]], "task");
    await saver.putWrites(right, [["items", "right"]], "task");
    const moved = await put(saver, left, 3);
    await saver.putWrites(moved, [["items", "moved"]], "task");
    const head = await put(saver, moved, 4);
    expect(await writesOf(saver, head, "items")).toStrictEqual(["left", "moved"]);

    await put(saver, right, 3);
    expect(await writesOf(saver, head, "items")).toStrictEqual(["right", "moved"]);
  });

  it("forgets a seed that a checkpoint put again no longer stores", async ({ saver }) => {
    const first = await put(saver, thread, 1, { values: { items: new DeltaSnapshot(["first"]) } });
    const second = await put(saver, first, 2, { values: { items: new DeltaSnapshot(["second"]) } });
    const third = await put(saver, second, 3);
    expect((await historyOf(saver, third, "items")).seed).toStrictEqual(new DeltaSnapshot(["second"]));

    await put(saver, first, 2);
    expect((await historyOf(saver, third, "items")).seed).toStrictEqual(new DeltaSnapshot(["first"]));
  });

  it("is right for both when a checkpoint that has a child is put again and then forked", async ({ saver }) => {
    const root = await put(saver, thread, 1);
    const child = await put(saver, root, 2, { values: { items: new DeltaSnapshot(["seed"]) } });
    await put(saver, thread, 1, { values: { title: "again" } });
    const fork = await put(saver, root, 3);
    for (const config of [root, child, fork]) await saver.putWrites(config, [["items", config.configurable?.["checkpoint_id"]]], "task");

    expect(await historyOf(saver, await put(saver, child, 4), "items")).toStrictEqual({ seed: new DeltaSnapshot(["seed"]), writes: [["task", "items", checkpointId(2)]] });
    expect(await writesOf(saver, await put(saver, fork, 5), "items")).toStrictEqual([checkpointId(1), checkpointId(3)]);
  });

  it("ends on a cycle, and passes each checkpoint once", async ({ saver }) => {
    await put(saver, at("thread", "", 3), 1);
    await put(saver, at("thread", "", 1), 2);
    await put(saver, at("thread", "", 2), 3);
    const target = await put(saver, at("thread", "", 3), 4);
    for (const n of [1, 2, 3]) await saver.putWrites(at("thread", "", n), [["items", n]], "task");

    expect(await writesOf(saver, target, "items")).toStrictEqual([1, 2, 3]);
  });

  it("ends at a checkpoint that is its own parent", async ({ saver }) => {
    const own = await put(saver, at("thread", "", 1), 1);
    await saver.putWrites(own, [["items", "pending"]], "task");
    expect(await historyOf(saver, own, "items")).toStrictEqual({ writes: [] });
  });

  it("is right at any depth", async ({ saver }) => {
    const depth = 1_000;
    await put(saver, thread, 0, { values: { busy: new DeltaSnapshot(["seed"]), quiet: new DeltaSnapshot(["quiet"]) } });
    await saver.putWrites(at("thread", "", 0), [["busy", 0], ["quiet", "once"]], "task");
    const stored: Promise<unknown>[] = [];
    for (let n = 1; n <= depth; n += 1) {
      stored.push(put(saver, at("thread", "", n - 1), n));
      stored.push(saver.putWrites(at("thread", "", n), [["busy", n]], "task"));
    }
    await Promise.all(stored);

    const history = await saver.getDeltaChannelHistory({ config: at("thread", "", depth), channels: ["busy", "quiet"] });
    expect(history["busy"]?.writes.map(([, , value]) => value)).toStrictEqual(Array.from({ length: depth }, (_, n) => n));
    expect(history["quiet"]).toStrictEqual({ seed: new DeltaSnapshot(["quiet"]), writes: [["task", "quiet", "once"]] });
  });

  it("never crosses from one thread or namespace into another", async ({ saver }) => {
    for (const [threadId, namespace] of [["thread", ""], ["thread", "child"], ["other", ""], ["thread|child", ""]] as const) {
      const first = await put(saver, at(threadId, namespace), 1, { values: { seeded: new DeltaSnapshot(`${threadId} ${namespace}`) } });
      await saver.putWrites(first, [["items", `${threadId} ${namespace}`]], "task");
      await put(saver, first, 2);
    }
    for (const [threadId, namespace] of [["thread", ""], ["thread", "child"], ["other", ""], ["thread|child", ""]] as const) {
      const target = at(threadId, namespace, 2);
      expect(await writesOf(saver, target, "items")).toStrictEqual([`${threadId} ${namespace}`]);
      expect((await historyOf(saver, target, "seeded")).seed).toStrictEqual(new DeltaSnapshot(`${threadId} ${namespace}`));
    }
  });

  it("orders one superstep's writes as the run applied them: by task path, task and index", async ({ saver }) => {
    const first = await put(saver, thread, 1);
    await saver.putWrites(first, [["items", "e"]], "task-a", "~__pregel_pull, z");
    await saver.putWrites(first, [["items", "d"]], "task-z", "~__pregel_pull, a");
    await saver.putWrites(first, [["items", "b"], ["other", 0], ["items", "c"]], "task-m", "");
    await saver.putWrites(first, [["items", "a"]], "task-l");
    const second = await put(saver, first, 2);

    expect(await writesOf(saver, second, "items")).toStrictEqual(["a", "b", "c", "d", "e"]);
  });

  it("keeps the pending writes of the target out, but in its tuple", async ({ saver }) => {
    const first = await put(saver, thread, 1);
    await saver.putWrites(first, [["items", "pending"]], "task");
    expect(await writesOf(saver, first, "items")).toStrictEqual([]);
    expect((await tupleAt(saver, first)).pendingWrites).toStrictEqual([["task", "items", "pending"]]);
  });

  it("leaves a delta channel that stored nothing out of the values altogether", async ({ saver }) => {
    const first = await put(saver, thread, 1, { values: { title: "t" }, versions: { title: 1, items: 1 } });
    await saver.putWrites(first, [["items", ["a"]]], "task");
    const second = await put(saver, first, 2, { values: { title: "t" }, versions: { title: 1, items: 2 }, newVersions: { items: 2 } });

    const { checkpoint } = await tupleAt(saver, second);
    expect(checkpoint.channel_values).toStrictEqual({ title: "t" });
    expect(checkpoint.channel_versions).toStrictEqual({ title: 1, items: 2 });
    expect(checkpoint.id).toBe(checkpointId(2));
  });
});

contract("A history that comes along with its checkpoint", (it) => {
  const asked = (saver: Parameters<typeof put>[0], config: Parameters<typeof writesOf>[1]) => writesOf(saver, config, "log");

  it("is the one of that moment, and of no earlier one than the last write", async ({ saver }) => {
    const first = await put(saver, at("thread"), 1, { values: { log: ["seed"] } });
    await saver.putWrites(first, [["log", "one"]], "task 1");
    const second = await put(saver, first, 2, { versions: { log: 2 } });
    expect(await asked(saver, second)).toStrictEqual(["one"]);
    await saver.getTuple(second);
    await saver.putWrites(first, [["log", "two"]], "task 2");
    expect(await asked(saver, second)).toStrictEqual(["one", "two"]);
    const reading = saver.getTuple(at("thread"));
    await Promise.all([reading, saver.putWrites(first, [["log", "three"]], "task 3")]);
    expect(await asked(saver, second)).toStrictEqual(["one", "two", "three"]);
  });

  it("is given once, for its own checkpoint and channels", async ({ saver }) => {
    const first = await put(saver, at("thread"), 1, { values: { log: ["seed"], other: [] } });
    await saver.putWrites(first, [["log", "one"], ["other", "more"]], "task 1");
    const second = await put(saver, first, 2, { versions: { log: 2, other: 2 } });
    const third = await put(saver, second, 3, { versions: { log: 3, other: 3 } });
    await saver.putWrites(second, [["log", "two"]], "task 2");
    expect(await asked(saver, third)).toStrictEqual(["one", "two"]);
    await saver.getTuple(third);
    expect(await asked(saver, second)).toStrictEqual(["one"]);
    await saver.getTuple(third);
    expect(await writesOf(saver, third, "other")).toStrictEqual(["more"]);
    await saver.getTuple(third);
    const both = await saver.getDeltaChannelHistory({ config: third, channels: ["other", "log"] });
    expect(both).toStrictEqual(await saver.getDeltaChannelHistory({ config: third, channels: ["other", "log"] }));
    await saver.deleteThread("thread");
    expect(await asked(saver, third)).toStrictEqual([]);
  });
});
