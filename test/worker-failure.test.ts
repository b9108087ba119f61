import { describe, expect } from "vitest";
import { CheckpointError, type IndexedDBSaver } from "../src/index.ts";
import { at, listedIds, put, valuesAt, writesOf } from "./support/checkpoints.ts";
import { ChannelWorker } from "./support/channel-worker.ts";
import { databaseTest as it, inNode, type SaverOptions } from "./support/contract.ts";
import { errorOf } from "./support/errors.ts";
import { ownWorker } from "./support/own-worker.ts";

const thread = at("thread");
const short = { start: 300, call: 300 };

/** A worker that runs this code and nothing of the package's. */
function scripted(code: string): Worker {
  return new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
}

/** What a worker's uncaught error, or a file that cannot be loaded, looks like from outside. */
function fail(worker: EventTarget, message?: string): void {
  worker.dispatchEvent(Object.assign(new Event("error", { cancelable: true }), { message }));
}

const silent = (): Worker => (inNode ? new ChannelWorker(() => undefined).asWorker() : scripted("/* never answers */"));

function unloadable(): Worker {
  if (!inNode) return new Worker(new URL(`/no-such-file-${crypto.randomUUID()}.js`, location.href), { type: "module" });
  const worker = new ChannelWorker(() => undefined);
  setTimeout(() => fail(worker));
  return worker.asWorker();
}

function throwing(): Worker {
  if (!inNode) return scripted("throw new Error('broken at start')");
  const worker = new ChannelWorker(() => undefined);
  setTimeout(() => fail(worker, "broken at start"));
  return worker.asWorker();
}

const calls = (saver: IndexedDBSaver): (() => Promise<unknown>)[] => [
  () => saver.getTuple(thread),
  () => put(saver, thread, 1, { values: { a: 1 } }),
  () => saver.putWrites(at("thread", "", 1), [["a", 1]], "task"),
  () => saver.getDeltaChannelHistory({ config: thread, channels: ["a"] }),
  () => saver.deleteThread("thread"),
];

const codes = (outcomes: PromiseSettledResult<unknown>[]): unknown[] =>
  outcomes.map((outcome) => (outcome.status === "fulfilled" ? "fulfilled" : CheckpointError.is(outcome.reason) ? outcome.reason.code : outcome.reason));

describe("A worker that does not start", () => {
  const ways: [string, SaverOptions["worker"], string][] = [
    ["whose factory throws", () => { throw new Error("no workers today"); }, "no workers today"],
    ["whose file cannot be loaded", unloadable, ""],
    ["that throws while it loads", throwing, "broken at start"],
    ["that never answers", silent, "300"],
  ];

  it.for(ways)("%s rejects every pending call with the code worker-start", async ([, worker, reason], { open }) => {
    const saver = open({ worker: worker!, timeouts: short });
    const outcomes = await Promise.allSettled(calls(saver).map((call) => call()));
    expect(codes(outcomes)).toStrictEqual(calls(saver).map(() => "worker-start"));
    const error = await errorOf(saver.getTuple(thread));
    expect(error.message).toContain(reason);
    expect(error.message).toContain("worker: false");
    await saver.close();
  });

  it("is tried again at the next call, if a factory makes it", async ({ open }) => {
    const workers = [unloadable, silent, ownWorker];
    const saver = open({ worker: () => workers.shift()!(), timeouts: { start: 5_000, call: 5_000 } });
    expect((await errorOf(saver.getTuple(thread))).code).toBe("worker-start");
    expect((await errorOf(put(saver, thread, 1))).code).toBe("worker-start");
    await put(saver, thread, 1, { values: { a: 1 } });
    expect(await valuesAt(saver, thread)).toStrictEqual({ a: 1 });
    expect(workers).toHaveLength(0);
  });

  it("keeps failing if the application gave it: there is no other to take", async ({ open }) => {
    const saver = open({ worker: silent(), timeouts: short });
    for (const call of calls(saver)) expect((await errorOf(call())).code).toBe("worker-start");
  });
});

describe("A worker that fails while it runs", () => {
  it("with an uncaught error rejects every pending call with the code worker-died", async ({ open }) => {
    const workers: Worker[] = [];
    const saver = open({ worker: () => workers[workers.push(ownWorker()) - 1]! });
    await put(saver, thread, 1, { values: { list: ["a"] } });
    const pending = Promise.allSettled([saver.getTuple(thread), listedIds(saver, thread), writesOf(saver, thread, "a")]);
    fail(workers[0]!, "out of memory");
    expect(codes(await pending)).toStrictEqual(["worker-died", "worker-died", "worker-died"]);

    const second = await put(saver, at("thread", "", 1), 2, { values: { list: ["a", "b"] } });
    expect(await valuesAt(saver, second)).toStrictEqual({ list: ["a", "b"] });
    expect(workers).toHaveLength(2);
  });

  it("whose messages cannot be read rejects every pending call with the code worker-died", async ({ open }) => {
    const workers: Worker[] = [];
    const saver = open({ worker: () => workers[workers.push(ownWorker()) - 1]! });
    await put(saver, thread, 1);
    const pending = errorOf(saver.getTuple(thread));
    workers[0]!.dispatchEvent(new MessageEvent("messageerror"));
    expect((await pending).code).toBe("worker-died");
    expect((await saver.getTuple(thread))?.checkpoint.v).toBe(4);
  });

  it("that is ended from outside leaves no call pending: worker-timeout, and what was committed is there", async ({ open }) => {
    const workers: Worker[] = [];
    const saver = open({ worker: () => workers[workers.push(ownWorker()) - 1]!, timeouts: { start: 10_000, call: 3_000 } });
    await put(saver, thread, 1, { values: { list: ["a"] } });
    workers[0]!.terminate();
    const outcomes = await Promise.allSettled(calls(saver).map((call) => call()));
    expect(codes(outcomes)).toStrictEqual(calls(saver).map(() => "worker-timeout"));
    expect(await valuesAt(saver, thread)).toStrictEqual({ list: ["a"] });
  });

  it("that the application gave stays failed, and its saver can still be closed", async ({ open }) => {
    const worker = ownWorker();
    const saver = open({ worker });
    await put(saver, thread, 1, { values: { a: 1 } });
    fail(worker, "gone");
    for (const call of calls(saver)) expect((await errorOf(call())).code).toBe("worker-died");
    await saver.close();
    worker.terminate();
    expect(await valuesAt(open(), thread)).toStrictEqual({ a: 1 });
  });

  it("in the middle of many puts loses none that was acknowledged, and leaves no half", async ({ open }) => {
    const workers: Worker[] = [];
    const saver = open({ worker: () => workers[workers.push(ownWorker()) - 1]!, timeouts: { start: 10_000, call: 10_000 } });
    await put(saver, thread, 0, { values: { list: [] } });
    const puts = Array.from({ length: 60 }, (_, n) => put(saver, at("thread", "", n), n + 1, { values: { list: Array.from({ length: n + 1 }, (_, k) => k) } }));
    await Promise.race(puts.slice(5));
    workers[0]!.terminate();
    fail(workers[0]!, "killed");
    const acknowledged = (await Promise.allSettled(puts)).map(({ status }) => status === "fulfilled");

    const fresh = open();
    for (const [n, wasAcknowledged] of acknowledged.entries()) {
      const tuple = await fresh.getTuple(at("thread", "", n + 1));
      if (wasAcknowledged) expect(tuple).toBeDefined();
      if (tuple !== undefined) expect(tuple.checkpoint.channel_values).toStrictEqual({ list: Array.from({ length: n + 1 }, (_, k) => k) });
    }
  });
});
