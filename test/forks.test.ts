import { compareChannelVersions } from "@langchain/langgraph-checkpoint";
import { expect } from "vitest";
import { at, checkpointId, listed, put, tupleAt, valuesAt } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";

const thread = at("thread");
const numbered = (length: number): unknown[] => Array.from({ length }, (_, n) => ({ n, text: `element ${n}` }));

contract("Channel versions", (it) => {
  it("give a checkpoint the value that was stored at its version, however long ago", async ({ saver }) => {
    let head = await put(saver, thread, 0, { values: { title: "kept", count: 0 }, versions: { title: 1, count: 1 } });
    for (let n = 1; n <= 50; n += 1) {
      const versions = { title: 1, count: n + 1 };
      head = await put(saver, head, n, { values: { title: "kept", count: n }, versions, newVersions: { count: n + 1 } });
    }
    expect(await valuesAt(saver, head)).toStrictEqual({ title: "kept", count: 50 });
    expect(await valuesAt(saver, at("thread", "", 25))).toStrictEqual({ title: "kept", count: 25 });
  });

  it("leave a channel out that is not new and was never stored at its version", async ({ saver }) => {
    const config = await put(saver, thread, 1, { values: { title: "t", ghost: "g" }, versions: { title: 1, ghost: 7 }, newVersions: { title: 1 } });
    expect(await valuesAt(saver, config)).toStrictEqual({ title: "t" });
  });

  it("never let a child inherit its parent's value of another version", async ({ saver }) => {
    const parent = await put(saver, thread, 1, { values: { title: "old" }, versions: { title: 1 } });
    const child = await put(saver, parent, 2, { values: { title: "new" }, versions: { title: 2 }, newVersions: {} });
    expect(await valuesAt(saver, child)).toStrictEqual({});
  });

  it("do not bring back a channel that the checkpoint no longer has", async ({ saver }) => {
    const parent = await put(saver, thread, 1, { values: { title: "t", scratch: "s" }, versions: { title: 1, scratch: 1 } });
    const child = await put(saver, parent, 2, { values: { title: "t" }, versions: { title: 1, scratch: 2 }, newVersions: { scratch: 2 } });
    expect(await valuesAt(saver, child)).toStrictEqual({ title: "t" });
  });

  it("come back as they were put, integers, fractions and strings", async ({ saver }) => {
    const versions = { a: 1, b: 2.5, c: "00000000000000000000000000000003.0.5", d: 0 };
    const config = await put(saver, thread, 1, { values: { a: 1, b: 2, c: 3, d: 4 }, versions });
    const child = await put(saver, config, 2, { values: { a: 1, b: 2, c: 3, d: 4 }, versions, newVersions: {} });
    const { checkpoint } = await tupleAt(saver, child);
    expect(checkpoint.channel_versions).toStrictEqual(versions);
    expect(checkpoint.channel_values).toStrictEqual({ a: 1, b: 2, c: 3, d: 4 });
  });

  it("are told apart by type: 1 is not \"1\"", async ({ saver }) => {
    const parent = await put(saver, thread, 1, { values: { a: "number" }, versions: { a: 1 } });
    const child = await put(saver, parent, 2, { values: { a: "string" }, versions: { a: "1" } });
    const numbered = await put(saver, child, 3, { values: { a: "number" }, versions: { a: 1 }, newVersions: {} });
    expect(await valuesAt(saver, child)).toStrictEqual({ a: "string" });
    expect(await valuesAt(saver, numbered)).toStrictEqual({ a: "number" });
  });
});

contract("Versions the saver makes", (it) => {
  it("grow, from nothing and from any integer", async ({ saver }) => {
    const grows = (current: number | undefined): boolean =>
      compareChannelVersions(saver.getNextVersion(current), current ?? 0) > 0;
    expect([undefined, 0, 1, 2, 41, 1_000_000, 2 ** 40].map(grows)).toStrictEqual(Array.from({ length: 7 }, () => true));
  });

  it("grow over ten thousand steps", async ({ saver }) => {
    let version = saver.getNextVersion(undefined);
    let grew = 0;
    for (let step = 0; step < 10_000; step += 1) {
      const next = saver.getNextVersion(version);
      if (compareChannelVersions(next, version) > 0) grew += 1;
      version = next;
    }
    expect(grew).toBe(10_000);
  });

  it("are beaten by no integer that came before, so a thread can change savers", async ({ saver }) => {
    const made = saver.getNextVersion(6);
    expect(compareChannelVersions(made, 6)).toBe(1);
    expect(compareChannelVersions(saver.getNextVersion(made), made)).toBe(1);
    expect(compareChannelVersions(8, made)).toBe(1);
  });

  it("differ on every branch that starts from the same version", async ({ saver, open }) => {
    const another = open();
    const made = Array.from({ length: 500 }, (_, n) => (n % 2 === 0 ? saver : another).getNextVersion(3));
    expect(new Set(made).size).toBe(500);
  });
});

contract("Forks", (it) => {
  it("read their own value where integer versions repeat on sibling branches", async ({ saver }) => {
    const root = await put(saver, thread, 1, { values: { topic: "root" }, versions: { topic: 1 } });
    const left = await put(saver, root, 2, { values: { topic: "left" }, versions: { topic: 2 } });
    const right = await put(saver, root, 3, { values: { topic: "right" }, versions: { topic: 2 } });
    expect(await valuesAt(saver, left)).toStrictEqual({ topic: "left" });
    expect(await valuesAt(saver, right)).toStrictEqual({ topic: "right" });
    expect(await valuesAt(saver, root)).toStrictEqual({ topic: "root" });
  });

  it("carry their own value on to their descendants", async ({ saver }) => {
    const root = await put(saver, thread, 1, { values: { topic: "root" }, versions: { topic: 1 } });
    const step = (topic: string) => ({ values: { topic }, versions: { topic: 2 } });
    let left = await put(saver, root, 2, step("left"));
    let right = await put(saver, root, 3, step("right"));
    for (let n = 4; n < 14; n += 2) {
      left = await put(saver, left, n, { ...step("left"), newVersions: {} });
      right = await put(saver, right, n + 1, { ...step("right"), newVersions: {} });
    }
    expect(await valuesAt(saver, left)).toStrictEqual({ topic: "left" });
    expect(await valuesAt(saver, right)).toStrictEqual({ topic: "right" });
  });

  it("load the values of a checkpoint copied under its grandparent", async ({ saver }) => {
    const root = await put(saver, thread, 1, { values: { topic: "root", items: ["a"] }, versions: { topic: 1, items: 1 } });
    const values = { topic: "copied", items: ["a", "b"] };
    const original = await put(saver, root, 2, { values, versions: { topic: 2, items: 2 } });
    const copy = await put(saver, root, 3, { values, versions: { topic: 2, items: 2 }, newVersions: {} });
    expect(await valuesAt(saver, copy)).toStrictEqual(values);
    expect(await valuesAt(saver, original)).toStrictEqual(values);
  });

  it("load the copied branch's values, not those of its sibling at the same integer version", async ({ saver }) => {
    const root = await put(saver, thread, 1, { values: { topic: "root" }, versions: { topic: 1 } });
    await put(saver, root, 2, { values: { topic: "left" }, versions: { topic: 2 } });
    await put(saver, root, 3, { values: { topic: "right" }, versions: { topic: 2 } });
    const copyOfLeft = await put(saver, root, 4, { values: { topic: "left" }, versions: { topic: 2 }, newVersions: {} });
    const copyOfRight = await put(saver, root, 5, { values: { topic: "right" }, versions: { topic: 2 }, newVersions: {} });
    expect(await valuesAt(saver, copyOfLeft)).toStrictEqual({ topic: "left" });
    expect(await valuesAt(saver, copyOfRight)).toStrictEqual({ topic: "right" });
  });

  it("have the parents they were put under", async ({ saver }) => {
    const root = await put(saver, thread, 1);
    const trunk = await put(saver, root, 2);
    await put(saver, trunk, 3);
    await put(saver, root, 4);
    const parents = (await listed(saver, thread)).map(({ parentConfig }) => parentConfig?.configurable?.["checkpoint_id"] as unknown);
    expect(parents).toStrictEqual([checkpointId(1), checkpointId(2), checkpointId(1), undefined]);
  });

  it("keep a descendant's value when an ancestor is put again with another", async ({ saver }) => {
    const parent = await put(saver, thread, 1, { values: { topic: "first" }, versions: { topic: 1 } });
    const child = await put(saver, parent, 2, { values: { topic: "first" }, versions: { topic: 1 }, newVersions: {} });
    await put(saver, thread, 1, { values: { topic: "again" }, versions: { topic: 5 } });
    expect(await valuesAt(saver, parent)).toStrictEqual({ topic: "again" });
    expect(await valuesAt(saver, child)).toStrictEqual({ topic: "first" });
  });
});

contract("Lists", (it) => {
  const sequences: Record<string, unknown[]> = {
    "that grow": [[], ["a"], ["a", "b"], ["a", "b", "c", "d"]],
    "that shrink and grow again": [["a", "b", "c"], ["a"], [], ["a", "b"], ["c"]],
    "with an element edited": [["a", "b", "c"], ["a", "B", "c"], ["a", "b", "c"]],
    "with an element removed or put in the middle": [["a", "b", "c"], ["a", "c"], ["a", "x", "c"]],
    "in another order": [["a", "b", "c"], ["c", "b", "a"], ["b", "a", "c"]],
    "with the same element many times": [["a"], ["a", "a"], ["a", "a", "a"], ["b", "a", "b"]],
    "of elements that are alike": [[0, -0, "0", false, null, undefined], [-0, 0, [], {}, [[]]]],
    "with holes": [Array(3), Object.assign([], { 2: "only the third" }), ["a", undefined, "c"]],
    "that stop being lists": [["a"], "a", { 0: "a" }, ["a"], null, ["a", ["a"]]],
    "of a thousand elements": [numbered(1_000), [...numbered(1_000), "one more"], numbered(1_000).slice(500)],
  };

  it.for(Object.entries(sequences))("%s", async ([, lists], { saver, reopen }) => {
    let head = thread;
    for (const [n, list] of lists.entries()) head = await put(saver, head, n, { values: { list } });
    for (const [n, list] of lists.entries()) expect(await valuesAt(saver, at("thread", "", n))).toStrictEqual({ list });
    const cold = await reopen();
    for (const [n, list] of lists.entries()) expect(await valuesAt(cold, at("thread", "", n))).toStrictEqual({ list });
  });

  it("that two branches make longer in turns", async ({ saver, reopen }) => {
    const root = await put(saver, thread, 0, { values: { list: ["root"] } });
    const heads = [root, root];
    const lists: string[][] = [["root"], ["root"]];
    for (let n = 1; n <= 40; n += 1) {
      const branch = n % 2;
      lists[branch] = [...(lists[branch] ?? []), `element ${n}`];
      heads[branch] = await put(saver, heads[branch] ?? root, n, { values: { list: lists[branch] } });
    }
    const cold = await reopen();
    expect(await valuesAt(cold, heads[0] ?? root)).toStrictEqual({ list: lists[0] });
    expect(await valuesAt(cold, heads[1] ?? root)).toStrictEqual({ list: lists[1] });
  });

  it("whose element was changed in place hold the change from then on, and not before", async ({ saver, reopen }) => {
    const message = { id: "m", text: "before" };
    const first = await put(saver, thread, 1, { values: { list: [message] } });
    message.text = "after";
    const second = await put(saver, first, 2, { values: { list: [message] } });
    expect(await valuesAt(saver, first)).toStrictEqual({ list: [{ id: "m", text: "before" }] });
    const cold = await reopen();
    expect(await valuesAt(cold, first)).toStrictEqual({ list: [{ id: "m", text: "before" }] });
    expect(await valuesAt(cold, second)).toStrictEqual({ list: [{ id: "m", text: "after" }] });
  });

  it("read are the caller's own: changing one changes nothing stored", async ({ saver }) => {
    const config = await put(saver, thread, 1, { values: { list: [{ text: "kept" }] }, versions: { list: 1 } });
    const read = await valuesAt(saver, config);
    (read["list"] as { text: string }[])[0]!.text = "changed";
    (read["list"] as unknown[]).push("more");
    expect(await valuesAt(saver, config)).toStrictEqual({ list: [{ text: "kept" }] });
    const child = await put(saver, config, 2, { values: { list: [{ text: "kept" }] }, versions: { list: 1 }, newVersions: {} });
    expect(await valuesAt(saver, child)).toStrictEqual({ list: [{ text: "kept" }] });
  });
});
