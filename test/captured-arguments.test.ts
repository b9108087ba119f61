import { HumanMessage } from "@langchain/core/messages";
import { JsonPlusSerializer } from "@langchain/langgraph-checkpoint";
import { expect } from "vitest";
import { at, checkpoint, checkpointId, listedIds, metadataOf, put, tupleAt } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";
import { wreck } from "./support/wreck.ts";

const thread = at("thread");

const sample = () => ({
  list: [{ text: "a" }, { text: "b" }],
  bytes: new Uint8Array([1, 2, 3]),
  when: new Date(1_000),
  map: new Map([["k", { v: 1 }]]),
  set: new Set([1]),
  nested: { deep: { deeper: ["x"] } },
});

contract("What is stored is what was passed", (it) => {
  it("to put, whatever happens to it after the call", async ({ saver }) => {
    const config = { configurable: { thread_id: "thread", checkpoint_ns: "", checkpoint_id: checkpointId(0) } };
    const put1 = checkpoint(1, { values: sample(), versionsSeen: { node: { list: 1 } } });
    const metadata = metadataOf(1, { extra: sample() });
    const newVersions = { ...put1.channel_versions };
    const stored = saver.put(config, put1, metadata, newVersions);
    for (const argument of [put1, metadata, newVersions, config]) wreck(argument);
    await stored;

    const tuple = await tupleAt(saver, at("thread", "", 1));
    expect(tuple.checkpoint).toStrictEqual(checkpoint(1, { values: sample(), versionsSeen: { node: { list: 1 } } }));
    expect(tuple.metadata).toStrictEqual(metadataOf(1, { extra: sample() }));
    expect(tuple.parentConfig).toStrictEqual(at("thread", "", 0));
  });

  it("to putWrites, whatever happens to it after the call", async ({ saver }) => {
    const config = await put(saver, thread, 1);
    const writes: [string, unknown][] = [["a", sample()], ["b", [1, 2]]];
    const stored = saver.putWrites(config, writes, "task");
    wreck(writes);
    wreck(config);
    await stored;
    expect((await tupleAt(saver, at("thread", "", 1))).pendingWrites).toStrictEqual([["task", "a", sample()], ["task", "b", [1, 2]]]);
  });

  it("even while earlier calls are still waiting for the storage", async ({ saver }) => {
    const list: string[] = [];
    const message = { id: "m", text: "" };
    const stored: Promise<unknown>[] = [];
    for (let n = 1; n <= 30; n += 1) {
      list.push(`element ${n}`);
      message.text = `text ${n}`;
      stored.push(put(saver, at("thread", "", n - 1), n, { values: { list, message } }));
      stored.push(saver.putWrites(at("thread", "", n), [["list", list], ["message", message]], "task"));
    }
    await Promise.all(stored);
    for (let n = 1; n <= 30; n += 1) {
      const expected = { list: Array.from({ length: n }, (_, k) => `element ${k + 1}`), message: { id: "m", text: `text ${n}` } };
      const { checkpoint: stored1, pendingWrites } = await tupleAt(saver, at("thread", "", n));
      expect(stored1.channel_values).toStrictEqual(expected);
      expect(pendingWrites).toStrictEqual([["task", "list", expected.list], ["task", "message", expected.message]]);
    }
  });

  it("messages too", async ({ saver }) => {
    const message = new HumanMessage({ id: "m", content: [{ type: "text", text: "as passed" }] });
    const stored = put(saver, thread, 1, { values: { messages: [message] } });
    message.content = "changed";
    await stored;
    const messages = (await tupleAt(saver, at("thread", "", 1))).checkpoint.channel_values["messages"] as HumanMessage[];
    expect(messages[0]?.content).toStrictEqual([{ type: "text", text: "as passed" }]);
  });

  it("also through a serializer of the application's", async ({ open }) => {
    const saver = open({ serde: new JsonPlusSerializer() });
    const list = [{ text: "as passed" }];
    const stored = put(saver, thread, 1, { values: { list } });
    wreck(list);
    await stored;
    const written = ["as passed"];
    const storedWrites = saver.putWrites(at("thread", "", 1), [["list", written]], "task");
    wreck(written);
    await storedWrites;
    const { checkpoint: stored1, pendingWrites } = await tupleAt(saver, at("thread", "", 1));
    expect(stored1.channel_values).toStrictEqual({ list: [{ text: "as passed" }] });
    expect(pendingWrites).toStrictEqual([["task", "list", ["as passed"]]]);
  });

  it("to the reading calls: a config changed after the call still reads what was asked for", async ({ saver }) => {
    await put(saver, thread, 1, { metadata: { mark: "a" } });
    await put(saver, at("thread", "", 1), 2, { metadata: { mark: "b" } });
    const config = at("thread", "", 1);
    const tuple = saver.getTuple(config);
    wreck(config);
    expect((await tuple)?.checkpoint.id).toBe(checkpointId(1));

    const options = { filter: { mark: "a" }, before: at("thread", "", 2), limit: 1 };
    const ids = listedIds(saver, thread, options);
    wreck(options);
    expect(await ids).toStrictEqual([checkpointId(1)]);

    const asked = { config: at("thread", "", 2), channels: ["items"] };
    const history = saver.getDeltaChannelHistory(asked);
    wreck(asked);
    expect(await history).toStrictEqual({ items: { writes: [] } });
  });

  it("and the caller's values are not changed by the call", async ({ saver }) => {
    const made = checkpoint(1, { values: sample() });
    const metadata = metadataOf(1, { extra: sample() });
    const writes: [string, unknown][] = [["a", sample()]];
    await saver.put(thread, made, metadata, made.channel_versions);
    await saver.putWrites(at("thread", "", 1), writes, "task");
    expect(made).toStrictEqual(checkpoint(1, { values: sample() }));
    expect(metadata).toStrictEqual(metadataOf(1, { extra: sample() }));
    expect(writes).toStrictEqual([["a", sample()]]);
  });
});
