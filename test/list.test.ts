import { expect } from "vitest";
import type { ReadReport } from "../src/index.ts";
import { at, checkpointId, listed, listedIds, put, tupleAt } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";
import { difference } from "./support/difference.ts";

const thread = at("thread");
const ids = (...numbers: number[]): string[] => numbers.map(checkpointId);

contract("list", (it) => {
  it("gives the checkpoints of a thread, newest first, each as getTuple gives it", async ({ saver }) => {
    let head = thread;
    for (const n of [1, 2, 3]) {
      head = await put(saver, head, n, { values: { count: n } });
      await saver.putWrites(head, [["count", n + 1]], "task");
    }
    const tuples = await listed(saver, thread);
    expect(tuples.map(({ checkpoint }) => checkpoint.id)).toStrictEqual(ids(3, 2, 1));
    expect(tuples).toStrictEqual([await tupleAt(saver, at("thread", "", 3)), await tupleAt(saver, at("thread", "", 2)), await tupleAt(saver, at("thread", "", 1))]);
  });

  it("orders by id, not by the time of the put", async ({ saver }) => {
    for (const n of [2, 9, 1, 10]) await put(saver, thread, n);
    expect(await listedIds(saver, thread)).toStrictEqual(ids(10, 9, 2, 1));
  });

  it("gives strictly older ones with before", async ({ saver }) => {
    for (const n of [1, 2, 3, 4]) await put(saver, thread, n);
    expect(await listedIds(saver, thread, { before: at("thread", "", 3) })).toStrictEqual(ids(2, 1));
    expect(await listedIds(saver, thread, { before: at("thread", "", 1) })).toStrictEqual([]);
    expect(await listedIds(saver, thread, { before: thread })).toStrictEqual(ids(4, 3, 2, 1));
  });

  it("takes a before that names no stored checkpoint, or one of another namespace", async ({ saver }) => {
    for (const n of [1, 3, 5]) await put(saver, at("thread", "child"), n);
    for (const n of [2, 4]) await put(saver, thread, n);
    expect(await listedIds(saver, at("thread", "child"), { before: at("thread", "", 4) })).toStrictEqual(ids(3, 1));
    expect(await listedIds(saver, at("thread", "child"), { before: at("thread", "", 4), limit: 1 })).toStrictEqual(ids(3));
    expect(await listedIds(saver, at("thread", "child"), { before: at("nowhere", "", 2) })).toStrictEqual(ids(1));
  });

  it("gives the newest of what before and filter leave, up to limit", async ({ saver }) => {
    for (let n = 1; n <= 9; n += 1) await put(saver, thread, n, { metadata: { source: n % 2 === 0 ? "loop" : "update" } });
    expect(await listedIds(saver, thread, { before: at("thread", "", 8), filter: { source: "update" }, limit: 2 })).toStrictEqual(ids(7, 5));
    expect(await listedIds(saver, thread, { filter: { source: "loop" }, limit: 3 })).toStrictEqual(ids(8, 6, 4));
    expect(await listedIds(saver, thread, { filter: { source: "loop", step: 4 } })).toStrictEqual(ids(4));
    expect(await listedIds(saver, thread, { filter: { source: "fork" } })).toStrictEqual([]);
    expect(await listedIds(saver, thread, { filter: {} })).toHaveLength(9);
  });

  it("gives nothing for a limit of 0 and all for one that is larger than the thread", async ({ saver }) => {
    for (const n of [1, 2]) await put(saver, thread, n);
    expect(await listedIds(saver, thread, { limit: 0 })).toStrictEqual([]);
    expect(await listedIds(saver, thread, { limit: 100 })).toStrictEqual(ids(2, 1));
  });

  it("matches a filter on equal metadata only", async ({ saver }) => {
    await put(saver, thread, 1, { metadata: { tags: [1, 2], count: 1, nothing: null } });
    expect(await listedIds(saver, thread, { filter: { tags: [1] } })).toStrictEqual([]);
    expect(await listedIds(saver, thread, { filter: { count: "1" } })).toStrictEqual([]);
    expect(await listedIds(saver, thread, { filter: { count: 1 } })).toStrictEqual(ids(1));
    expect(await listedIds(saver, thread, { filter: { nothing: null } })).toStrictEqual(ids(1));
    expect(await listedIds(saver, thread, { filter: { missing: null } })).toStrictEqual([]);
    expect(await listedIds(saver, thread, { filter: { toString: Object.prototype.toString } })).toStrictEqual([]);
  });

  it("tells dates, maps and sets in metadata apart", async ({ saver }) => {
    const facts = (n: number) => ({ at: new Date(n), map: new Map([["n", n]]), set: new Set([n]), nan: Number.NaN });
    await put(saver, thread, 1, { metadata: facts(1) });
    await put(saver, thread, 2, { metadata: facts(2) });
    for (const filter of [{ at: new Date(2) }, { map: new Map([["n", 2]]) }, { set: new Set([2]) }]) {
      expect(await listedIds(saver, thread, { filter })).toStrictEqual(ids(2));
    }
    expect(await listedIds(saver, thread, { filter: { nan: Number.NaN } })).toStrictEqual(ids(2, 1));
    expect(await listedIds(saver, thread, { filter: { map: {} } })).toStrictEqual([]);
  });

  it("gives the one checkpoint that the config names", async ({ saver }) => {
    for (const n of [1, 2, 3]) await put(saver, thread, n);
    expect(await listedIds(saver, at("thread", "", 2))).toStrictEqual(ids(2));
    expect(await listedIds(saver, at("thread", "", 2), { before: at("thread", "", 2) })).toStrictEqual([]);
    expect(await listedIds(saver, at("thread", "", 4))).toStrictEqual([]);
  });

  it("treats no namespace in put as the root namespace in list, and the reverse", async ({ saver }) => {
    const bare = { configurable: { thread_id: "thread" } };
    await put(saver, bare, 1);
    await put(saver, thread, 2);
    expect(await listedIds(saver, thread)).toStrictEqual(ids(2, 1));
    expect(await listedIds(saver, bare)).toStrictEqual(ids(2, 1));
    expect((await tupleAt(saver, bare)).checkpoint.id).toBe(checkpointId(2));
    expect((await tupleAt(saver, { configurable: { thread_id: "thread", checkpoint_id: checkpointId(1) } })).config.configurable?.["checkpoint_ns"]).toBe("");
  });

  it("gives one namespace where one is named, and all of the thread's, newest first, where none is", async ({ saver }) => {
    await put(saver, at("thread", "child:1"), 1);
    await put(saver, thread, 2);
    await put(saver, at("thread", "child:1"), 3);
    await put(saver, at("thread", "child"), 4);
    await put(saver, at("other"), 5);
    expect(await listedIds(saver, at("thread", "child:1"))).toStrictEqual(ids(3, 1));
    expect(await listedIds(saver, thread)).toStrictEqual(ids(2));
    expect(await listedIds(saver, { configurable: { thread_id: "thread" } })).toStrictEqual(ids(4, 3, 2, 1));
    expect(await listedIds(saver, { configurable: { thread_id: "thread" } }, { limit: 2 })).toStrictEqual(ids(4, 3));
  });

  it("gives every thread's, newest first, where no thread is named", async ({ saver }) => {
    await put(saver, at("b"), 1);
    await put(saver, at("a"), 2);
    await put(saver, at("b", "child"), 3);
    await put(saver, at("c"), 4);
    expect(await listedIds(saver, { configurable: {} })).toStrictEqual(ids(4, 3, 2, 1));
    expect(await listedIds(saver, {})).toStrictEqual(ids(4, 3, 2, 1));
    expect(await listedIds(saver, {}, { limit: 3, before: at("a", "", 4) })).toStrictEqual(ids(3, 2, 1));
    expect(await listedIds(saver, { configurable: { checkpoint_ns: "child" } })).toStrictEqual(ids(3));
  });

  it("gives nothing for a thread that is not there", async ({ saver }) => {
    await put(saver, thread, 1);
    expect(await listedIds(saver, at("thread 2"))).toStrictEqual([]);
    expect(await listedIds(saver, at("threa"))).toStrictEqual([]);
    expect(await listedIds(saver, at("thread", "child"))).toStrictEqual([]);
  });

  it("does not give checkpoints that only writes have come for", async ({ saver }) => {
    await saver.putWrites(at("thread", "", 1), [["items", "early"]], "task");
    expect(await listedIds(saver, thread)).toStrictEqual([]);
    expect(await saver.getTuple(thread)).toBeUndefined();
  });

  it("gives large values few at a time", async ({ saver }) => {
    const pages: ReadReport[] = [];
    saver.on("read", (report) => pages.push(report));
    const file = (n: number) => new Uint8Array(6_000_000).fill(n);
    let head = at("thread");
    for (let n = 1; n <= 5; n++) head = await put(saver, head, n, { values: { file: file(n) } });
    let n = 5;
    for await (const { checkpoint: { channel_values: values } } of saver.list(at("thread"))) {
      expect(difference(values["file"], file(n))).toBeUndefined();
      n--;
    }
    expect(n).toBe(0);
    expect(pages.map(({ method, elements }) => [method, elements])).toStrictEqual([["list", 2], ["list", 2], ["list", 1]]);
  });

  it("can be left early, and read again", async ({ saver }) => {
    for (let n = 1; n <= 300; n += 1) await put(saver, thread, n);
    for await (const { checkpoint } of saver.list(thread)) {
      expect(checkpoint.id).toBe(checkpointId(300));
      break;
    }
    expect(await listedIds(saver, thread)).toStrictEqual(ids(...Array.from({ length: 300 }, (_, index) => 300 - index)));
  });

  it("can be written to while it is read", async ({ saver }) => {
    for (let n = 1; n <= 5; n += 1) await put(saver, thread, n);
    const seen: string[] = [];
    for await (const { checkpoint, config } of saver.list(thread)) {
      seen.push(checkpoint.id);
      await saver.putWrites(config, [["items", "written while listing"]], "task");
    }
    expect(seen).toStrictEqual(ids(5, 4, 3, 2, 1));
  });
});

contract("getTuple", (it) => {
  it("gives the newest checkpoint of a namespace where none is named", async ({ saver }) => {
    for (const n of [3, 1, 2]) await put(saver, thread, n);
    await put(saver, at("thread", "child"), 9);
    const tuple = await tupleAt(saver, thread);
    expect(tuple.checkpoint.id).toBe(checkpointId(3));
    expect(tuple.config).toStrictEqual(at("thread", "", 3));
  });

  it("gives undefined where there is nothing", async ({ saver }) => {
    await put(saver, thread, 1);
    for (const config of [at("thread", "", 2), at("thread", "child"), at("other"), at("other", "", 1), {}, { configurable: {} }]) {
      expect(await saver.getTuple(config)).toBeUndefined();
    }
  });

  it("gives metadata and versions_seen as they were put", async ({ saver }) => {
    const metadata = {
      source: "fork",
      step: -1,
      parents: { "": "p", child: "q" },
      counters_since_delta_snapshot: { messages: [3, 7], toString: [0, 1] },
      run_id: "r",
      nested: { deep: [{ a: null, b: [undefined, 1.5] }], when: new Date(0) },
      writes: null,
    };
    const versionsSeen = { agent: { messages: 3, "branch:to:agent": "0004.0.7" }, __input__: {}, toString: { a: 1 } };
    const config = await put(saver, thread, 1, { metadata, versionsSeen });
    const tuple = await tupleAt(saver, config);
    expect(tuple.metadata).toStrictEqual(metadata);
    expect(tuple.checkpoint.versions_seen).toStrictEqual(versionsSeen);
  });

  it("gives the checkpoint's own fields as they were put", async ({ saver }) => {
    const config = await put(saver, thread, 1, { values: { title: "t" } });
    const { checkpoint, parentConfig } = await tupleAt(saver, config);
    expect(checkpoint).toStrictEqual({
      v: 4,
      id: checkpointId(1),
      ts: "2026-01-01T00:00:00.001Z",
      channel_values: { title: "t" },
      channel_versions: { title: 1 },
      versions_seen: {},
    });
    expect(parentConfig).toBeUndefined();
  });

  it("names the parent in full", async ({ saver }) => {
    const parent = await put(saver, at("thread", "child"), 1);
    const child = await put(saver, parent, 2);
    expect((await tupleAt(saver, child)).parentConfig).toStrictEqual(at("thread", "child", 1));
  });

  it("takes the three ids of a config and leaves the rest, which cannot be cloned", async ({ saver }) => {
    const crowded = (n?: number) => ({
      ...at("thread", "", n),
      signal: new AbortController().signal,
      callbacks: [{ handleLLMStart: () => undefined }],
      configurable: { ...at("thread", "", n).configurable, __pregel_send: () => undefined, __pregel_scratchpad: { counter: () => 1 } },
    });
    expect(await put(saver, crowded(), 1)).toStrictEqual(at("thread", "", 1));
    await saver.putWrites(crowded(1), [["items", 1]], "task");
    expect((await tupleAt(saver, crowded(1))).pendingWrites).toStrictEqual([["task", "items", 1]]);
    expect(await listedIds(saver, crowded(), { before: crowded(2) })).toStrictEqual(ids(1));
    expect(await saver.getDeltaChannelHistory({ config: crowded(1), channels: ["items"] })).toStrictEqual({ items: { writes: [] } });
  });
});
