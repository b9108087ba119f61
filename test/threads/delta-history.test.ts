import { isDeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { expect } from "vitest";
import { aggregate, type Channels, delta, lastValue, Overwrite, ThreadStore } from "../../src/threads/index.ts";
import { contract, workerOption } from "../support/contract.ts";
import { chat, say, threadContract } from "../support/thread-stores.ts";

const concat = (state: readonly number[], writes: readonly (number | readonly number[])[]) => [...state, ...writes.flat()];
const numbers = delta(concat, { snapshotFrequency: 1000 });

contract("What is stored of a delta channel", (it, implementation) => {
  const worker = implementation === "inline" ? false : workerOption;
  const open = <C extends Channels>(name: string, channels: C) => new ThreadStore({ name, worker, channels });

  it("is a base, and what each step wrote since, oldest first", async ({ saver, database }) => {
    await using threads = open(database, { numbers, other: numbers });
    const thread = threads.thread("t");
    const ids: string[] = [];
    for (const number of [1, 2, 3]) ids.push(await thread.append({ numbers: number }));
    ids.push(await thread.append([{ numbers: 4 }, { numbers: [5, 6] }]), await thread.append({ other: 9 }));
    const history = async (id: string | undefined) => {
      const config = { configurable: { thread_id: "t", ...(id === undefined ? {} : { checkpoint_id: id }) } };
      const { numbers: found } = await saver.getDeltaChannelHistory({ config, channels: ["numbers"] });
      const seed: unknown = found?.seed;
      return { seed: isDeltaSnapshot(seed) ? seed.value : seed, writes: found?.writes.map(([, , value]) => value) };
    };
    expect(await history(undefined)).toStrictEqual({ seed: [1], writes: [2, 3, 4, [5, 6]] });
    expect(await history(ids[3])).toStrictEqual({ seed: [1], writes: [2, 3, 4, [5, 6]] });
    expect(await history(ids[2])).toStrictEqual({ seed: [1], writes: [2, 3] });
    expect(await history(ids[1])).toStrictEqual({ seed: [1], writes: [2] });
    expect(await thread.values()).toStrictEqual({ numbers: [1, 2, 3, 4, 5, 6], other: [9] });
  });

  it("begins at an old full value, and anew at an Overwrite", async ({ saver, database }) => {
    {
      await using before = open(database, { numbers: aggregate((_: readonly number[], write: readonly number[]) => write, { initial: () => [] }) });
      await before.thread("t").append({ numbers: [7] });
    }
    await using threads = open(database, { numbers });
    const thread = threads.thread("t");
    const history = async () => (await saver.getDeltaChannelHistory({ config: { configurable: { thread_id: "t" } }, channels: ["numbers"] }))["numbers"]!;
    await thread.append({ numbers: 8 });
    await thread.append({ numbers: 9 });
    expect((await history()).seed).toStrictEqual([7]);
    expect((await thread.values()).numbers).toStrictEqual([7, 8, 9]);
    await thread.append({ numbers: new Overwrite([1]) });
    await thread.append({ numbers: 2 });
    const { seed, writes } = await history();
    expect(isDeltaSnapshot(seed) && seed.value).toStrictEqual([1]);
    expect(writes.map(([, , value]) => value)).toStrictEqual([2]);
    expect((await thread.values()).numbers).toStrictEqual([1, 2]);
  });
});

threadContract("A channel", (it) => {
  it("that a step does not write costs nothing", async ({ open }) => {
    const threads = open({ channels: { ...chat, numbers, settings: lastValue<object>() } });
    const thread = threads.thread("t");
    await thread.append({
      messages: Array.from({ length: 500 }, (_, index) => say(String(index), "x".repeat(200))),
      numbers: Array.from({ length: 500 }, (_, index) => index * 1000),
      settings: { notes: "y".repeat(10_000) },
    });
    const before = await threads.usage("t");
    for (let step = 0; step < 10; step++) await thread.append({ title: `title ${step}` });
    const after = await threads.usage("t");
    expect(after.content).toBe(before.content);
    expect(after.bookkeeping - before.bookkeeping).toBeLessThan(10 * 500);
    expect((await thread.values()).messages).toHaveLength(500);
  });
});
