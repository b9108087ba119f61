import { expect } from "vitest";
import { CheckpointError } from "../src/index.ts";
import { at, checkpointId, listed, listedIds, put, tupleAt, valuesAt, writesOf } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";
import { errorOf } from "./support/errors.ts";

const hostile: Record<string, string> = {
  "a prototype's name": "__proto__",
  "a constructor's name": "constructor",
  "a method's name": "toString",
  "a NUL": "a\0b",
  "a NUL only": "\0",
  "a slash": "a/b/../c",
  "a bar": "a|b:c",
  "a percent sign": "%00%2F%",
  "JSON": '["a","b"]',
  "a comma": "a,0",
  "quotes": "\"'`",
  "a line end": "a\r\nb",
  "a space": " ",
  "an emoji": "\u{1f600}",
  "the last code unit": "\uffff",
  "the last code point": "\u{10ffff}",
  "a composed letter": "\u00e9",
  "the same letter decomposed": "e\u0301",
  "a bidirectional mark": "\u202ea",
  "a number": "1",
  "a negative number": "-1",
  "a truth": "true",
  "very long": "x".repeat(20_000),
  "a byte order mark": "\uFEFFa",
  "a byte order mark before many letters": `\uFEFF${"a".repeat(100)}`,
};

contract("Any string is an id", (it) => {
  it.for(Object.entries(hostile))("of a thread, a namespace, a task and a channel: %s", async ([, id], { saver, reopen }) => {
    const clean = Object.getOwnPropertyNames(Object.prototype).length;
    const channelValues = Object.fromEntries([[id, { of: id }], ["plain", 1]]);
    const metadata = Object.fromEntries([[id, "mark"]]);
    const versionsSeen = Object.fromEntries([[id, Object.fromEntries([[id, 1]])]]);
    const first = await put(saver, at(id, id), 1, { values: channelValues, metadata, versionsSeen });
    await saver.putWrites(first, [[id, "written"]], id, id);
    const second = await put(saver, first, 2, { values: channelValues, versions: Object.fromEntries([[id, 1], ["plain", 1]]), newVersions: {} });

    const check = async (reader: typeof saver) => {
      const tuple = await tupleAt(reader, first);
      expect(tuple.config).toStrictEqual(at(id, id, 1));
      expect(Object.entries(tuple.checkpoint.channel_values)).toStrictEqual(Object.entries(channelValues));
      expect(Object.getOwnPropertyDescriptor(tuple.metadata, id)?.value).toBe("mark");
      expect(Object.entries(tuple.checkpoint.versions_seen)).toStrictEqual(Object.entries(versionsSeen));
      expect(tuple.pendingWrites).toStrictEqual([[id, id, "written"]]);
      expect(Object.entries(await valuesAt(reader, second))).toStrictEqual(Object.entries(channelValues));
      expect(await listedIds(reader, at(id, id))).toStrictEqual([checkpointId(2), checkpointId(1)]);
      expect(await listedIds(reader, at(id, id), { filter: metadata })).toStrictEqual([checkpointId(1)]);
      const history = await reader.getDeltaChannelHistory({ config: second, channels: [id, "plain"] });
      expect(Object.entries(history)).toStrictEqual(
        Object.entries(Object.fromEntries([[id, { writes: [[id, id, "written"]], seed: { of: id } }], ["plain", { writes: [], seed: 1 }]])),
      );
    };
    await check(saver);
    const cold = await reopen();
    await check(cold);
    await cold.deleteThread(id);
    expect(await listed(cold, {})).toStrictEqual([]);
    expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(clean);
    expect(({} as Record<string, unknown>)["of"]).toBeUndefined();
  });

  it("of a checkpoint", async ({ saver }) => {
    for (const id of ["__proto__", "a\0b", "%", "zzz", "\u{1f600}", "-"]) {
      const config = { configurable: { thread_id: "thread", checkpoint_ns: "", checkpoint_id: id } };
      const checkpoint = { v: 4, id, ts: "", channel_values: { of: id }, channel_versions: { of: 1 }, versions_seen: {} };
      await saver.put(at("thread"), checkpoint, { source: "loop", step: 0, parents: {} }, { of: 1 });
      await saver.putWrites(config, [["items", id]], "task");
      const tuple = await tupleAt(saver, config);
      expect(tuple.checkpoint.channel_values).toStrictEqual({ of: id });
      expect(tuple.pendingWrites).toStrictEqual([["task", "items", id]]);
    }
    expect(await listed(saver, at("thread"))).toHaveLength(6);
  });

  it("never one that another looks like", async ({ saver, reopen }) => {
    const places = [
      ["a", "b"], ["a|b", ""], ["a", ""], ["a\0b", ""], ["a", "\0b"], ["a,b", ""], ["a", ",b"],
      ["A", ""], ["a ", ""], ["\u00e9", ""], ["e\u0301", ""], ["1", ""], ["01", ""], ["a", "b|c"], ["a|b", "c"],
    ] as const;
    for (const [threadId, namespace] of places) {
      const config = await put(saver, at(threadId, namespace), 1, { values: { of: [threadId, namespace] } });
      await saver.putWrites(config, [["items", `${threadId}-${namespace}`]], "task");
      await put(saver, config, 2);
    }
    const reader = await reopen();
    for (const [threadId, namespace] of places) {
      expect(await valuesAt(reader, at(threadId, namespace, 1))).toStrictEqual({ of: [threadId, namespace] });
      expect(await writesOf(reader, at(threadId, namespace, 2), "items")).toStrictEqual([`${threadId}-${namespace}`]);
      expect(await listed(reader, at(threadId, namespace))).toHaveLength(2);
    }
  });
});

contract("An id that is not one", (it) => {
  const wrong: Record<string, unknown> = { "a number": 7, "null": null, "an object": {}, "an array": ["a"], "a lone surrogate": "a\ud800b" };

  it.for([...Object.entries(wrong), ["an empty string", ""]])("is refused as the id of a thread: %s", async ([, id], { saver }) => {
    const config = { configurable: { thread_id: id, checkpoint_ns: "", checkpoint_id: checkpointId(1) } };
    const calls = [
      () => put(saver, { configurable: { thread_id: id, checkpoint_ns: "" } }, 1),
      () => saver.putWrites(config, [["a", 1]], "task"),
      () => saver.getTuple(config),
      () => listed(saver, config),
      () => saver.getDeltaChannelHistory({ config, channels: ["a"] }),
      () => saver.deleteThread(id as string),
    ];
    for (const call of calls) expect((await errorOf(call())).code).toBe("invalid-id");
    expect(await listed(saver, {})).toStrictEqual([]);
  });

  it.for(Object.entries(wrong))("is refused as a namespace and as the id of a checkpoint and of a task: %s", async ([kind, id], { saver }) => {
    const namespaced = { configurable: { thread_id: "thread", checkpoint_ns: id, checkpoint_id: checkpointId(1) } };
    const named = { configurable: { thread_id: "thread", checkpoint_ns: "", checkpoint_id: id } };
    const calls = [
      () => saver.putWrites(at("thread", "", 1), [["a", 1]], id as string),
      () => saver.put(at("thread"), { v: 4, id: id as string, ts: "", channel_values: {}, channel_versions: {}, versions_seen: {} }, { source: "loop", step: 0, parents: {} }, {}),
      ...(kind === "null" ? [] : [() => put(saver, namespaced, 1), () => saver.getTuple(namespaced), () => saver.getTuple(named), () => put(saver, named, 2), () => saver.putWrites(named, [["a", 1]], "task")]),
    ];
    for (const call of calls) expect((await errorOf(call())).code).toBe("invalid-id");
    expect(await listed(saver, {})).toStrictEqual([]);
  });

  it("is refused with a sentence that names the field", async ({ saver }) => {
    const error = await errorOf(put(saver, { configurable: { thread_id: 7 } }, 1));
    expect(error.message).toContain("thread_id");
    expect(CheckpointError.is(error)).toBe(true);
  });

  it("is refused where it is missing: put and putWrites need a thread, putWrites a checkpoint", async ({ saver }) => {
    expect((await errorOf(put(saver, {}, 1))).message).toContain("thread_id");
    expect((await errorOf(put(saver, { configurable: {} }, 1))).message).toContain("thread_id");
    expect((await errorOf(saver.putWrites({ configurable: { checkpoint_id: checkpointId(1) } }, [["a", 1]], "task"))).message).toContain("thread_id");
    expect((await errorOf(saver.putWrites(at("thread"), [["a", 1]], "task"))).message).toContain("checkpoint_id");
  });
});
