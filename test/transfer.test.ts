import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { expect } from "vitest";
import { transferThread } from "../src/index.ts";
import { at, listedIds, put, tupleAt } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";
import { errorOf } from "./support/errors.ts";
import { ask, graphOn } from "./support/handed-over.ts";
import { handsOver } from "./support/hands-over.ts";

contract("A thread that is handed over to a MemorySaver and back", (it) => {
  handsOver((theme, body) => it(theme, ({ saver }) => body(saver, new MemorySaver())));

  it("comes with what was put, and its parents, in any order of ids", async ({ saver }) => {
    const there = new MemorySaver();
    const root = await put(saver, at("thread"), 5, { values: { list: ["a"] }, metadata: { note: "kept" } });
    const child = await put(saver, root, 2, { values: { list: ["a", "b"] }, versionsSeen: { node: { list: 5 } } });
    await put(saver, at("thread", "", 9), 7, { values: { list: ["z"] } }); // its parent is not there
    const order: string[] = [];
    const { put: putThere } = there;
    there.put = async (...call) => (order.push(call[1].id), putThere.apply(there, call));
    expect(await transferThread(saver, there, "thread")).toStrictEqual({ checkpoints: 3, writes: 0 });
    expect(order.indexOf(root.configurable?.["checkpoint_id"] as string)).toBeLessThan(order.indexOf(child.configurable?.["checkpoint_id"] as string));
    for (const n of [2, 5, 7]) expect(await tupleAt(there, at("thread", "", n))).toEqual(await tupleAt(saver, at("thread", "", n)));
  });

  it("needs a reducer where the other side would rebuild another value", async ({ saver }) => {
    const there = new MemorySaver();
    const [here, elsewhere] = [graphOn(saver, "here"), graphOn(there, "there")];
    await here.invoke(ask("one"), at("thread"));
    await transferThread(saver, there, "thread");
    for (const graph of [here, elsewhere]) await graph.invoke(null, at("thread"));
    expect(await errorOf(transferThread(saver, there, "thread"))).toMatchObject({ code: "reducer-needed", channel: "delta", namespace: "" });
  });

  it("says which saver failed, and goes on the next time", async ({ saver }) => {
    const there = new MemorySaver();
    let parent = at("thread");
    for (const n of [1, 2, 3]) parent = await put(saver, parent, n, { values: { list: [n] } });
    const { put: putThere } = there;
    there.put = async (...call) => {
      if (call[1].channel_values["list"] instanceof Array && call[1].channel_values["list"][0] === 2) throw new Error("no space");
      return putThere.apply(there, call);
    };
    const error = await errorOf(transferThread(saver, there, "thread"));
    expect(error).toMatchObject({ code: "transfer-failed", end: "to", operation: "put", thread: "thread", cause: { message: "no space" } });
    there.put = putThere;
    expect(await transferThread(saver, there, "thread")).toStrictEqual({ checkpoints: 2, writes: 0 });
  });

  it("tells how far it is, and can be ended between two checkpoints", async ({ saver }) => {
    const there = new MemorySaver();
    let parent = at("thread");
    for (const n of [1, 2, 3]) parent = await put(saver, parent, n, { values: { list: [n] } });
    const control = new AbortController();
    const seen: number[] = [];
    const ended = transferThread(saver, there, "thread", {
      signal: control.signal,
      onProgress: ({ done, total, checkpoints }) => {
        expect([total, checkpoints]).toStrictEqual([3, done]);
        seen.push(done);
        if (done === 2) control.abort(new Error("enough"));
      },
    });
    await expect(ended).rejects.toThrow("enough");
    expect(seen).toStrictEqual([1, 2]);
    expect(await listedIds(there, at("thread"))).toHaveLength(2);
  });
});
