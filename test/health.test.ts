import { afterEach, describe, expect, vi } from "vitest";
import type { StorageNotice, StorageStatus } from "../src/index.ts";
import { ThreadStore } from "../src/threads/index.ts";
import { at, put, valuesAt } from "./support/checkpoints.ts";
import { contract, databaseTest } from "./support/contract.ts";
import { errorOf } from "./support/errors.ts";
import { faultySaver } from "./support/faulty-saver.ts";
import { ownWorker } from "./support/own-worker.ts";
import { createDatabase } from "./support/raw-database.ts";

const thread = at("thread");
const always = 1_000_000;

afterEach(() => vi.unstubAllGlobals());

contract("The status of the storage", (it, implementation) => {
  it("is idle, open and closed as the saver is", async ({ open }) => {
    const saver = open();
    const heard: StorageStatus[] = [];
    saver.on("fault", (status) => heard.push(status));
    expect(saver.status()).toStrictEqual({ state: "idle" });
    await put(saver, thread, 1);
    expect([saver.status(), saver.threads.status()]).toStrictEqual([{ state: "open" }, { state: "open" }]);
    await saver.close();
    expect(saver.status()).toStrictEqual({ state: "closed" });
    expect(heard).toStrictEqual([]);
  });

  it("tells a full disk, what helps, and that it is over when a write succeeds", async ({ open }) => {
    const { saver, failCommits } = faultySaver(implementation, open);
    const heard: StorageStatus[] = [];
    const stop = saver.on("fault", (status) => heard.push(status));
    const first = await put(saver, thread, 1, { values: { list: ["a"] } });
    failCommits({ count: always, error: "QuotaExceededError" });
    for (let n = 2; n < 4; n += 1) await errorOf(put(saver, first, n, { values: { list: ["a", "b"] } }));
    const { message } = await errorOf(put(saver, first, 2));
    failCommits({ count: 0 });
    expect(await valuesAt(saver, first)).toStrictEqual({ list: ["a"] }); // reading goes on, and proves nothing about writing
    expect(saver.status()).toStrictEqual({
      state: "degraded",
      fault: { code: "quota-exceeded", facts: {}, message, remedy: "space", since: expect.any(Number) as number },
    });
    expect(heard).toStrictEqual([saver.status()]); // once, though it failed three times
    await put(saver, first, 2, { values: { list: ["a", "b"] } });
    expect(saver.status()).toStrictEqual({ state: "open" });
    expect(heard.map(({ state }) => state)).toStrictEqual(["degraded", "open"]);
    stop();
    failCommits({ count: always, error: "QuotaExceededError" });
    await errorOf(put(saver, first, 3));
    failCommits({ count: 0 });
    expect(heard).toHaveLength(2);
  });

  it("is failed where nothing works, with the facts", async ({ saver, database }) => {
    await createDatabase(database, 1, ["theirs"]);
    await errorOf(saver.getTuple(thread));
    expect(saver.status()).toMatchObject({ state: "failed", fault: { code: "foreign-database", facts: { database }, remedy: "setup" } });
  });

  it("is not about calls that the caller got wrong", async ({ saver }) => {
    await put(saver, thread, 1);
    await errorOf(put(saver, thread, 2, { values: { f: () => undefined } }));
    await errorOf(saver.deleteThread(""));
    expect(saver.status()).toStrictEqual({ state: "open" });
  });
});

databaseTest("The status tells of a worker that died, until the next one has answered", async ({ open }) => {
  const workers: Worker[] = [];
  const saver = open({ worker: () => workers[workers.push(ownWorker()) - 1]! });
  await put(saver, thread, 1);
  const pending = errorOf(saver.getTuple(thread));
  workers[0]!.dispatchEvent(Object.assign(new Event("error", { cancelable: true }), { message: "out of memory" }));
  await pending;
  expect(saver.status()).toMatchObject({ state: "degraded", fault: { code: "worker-died", remedy: "again" } });
  await saver.getTuple(thread);
  expect(saver.status()).toStrictEqual({ state: "open" });
});

databaseTest("A thread store has a status of its own, and a listener that throws disturbs nobody", async ({ database }) => {
  const thrown: unknown[] = [];
  vi.stubGlobal("queueMicrotask", (act: () => void) => {
    try {
      act();
    } catch (error) {
      thrown.push(error);
    }
  });
  await createDatabase(database, 1, ["theirs"]);
  const store = new ThreadStore({ name: database, channels: {}, worker: false });
  const heard: StorageStatus[] = [];
  store.on("fault", () => {
    throw new Error("from a listener");
  });
  store.on("fault", (status) => heard.push(status));
  expect(await errorOf(store.list())).toMatchObject({ code: "foreign-database" });
  expect(heard).toStrictEqual([store.status()]);
  expect(thrown).toStrictEqual([new Error("from a listener")]);
  await store.close();
});

describe("The site's space", () => {
  const browser = (storage: object | undefined) => vi.stubGlobal("navigator", { ...(storage === undefined ? {} : { storage }) });
  const MIB = 1024 * 1024;

  databaseTest("is told, and kept if the browser agrees; where there is nothing to ask, it is said so", async ({ saver }) => {
    browser({ estimate: async () => ({ usage: 5, quota: 100 }), persisted: async () => true, persist: async () => true });
    expect(await saver.estimate()).toStrictEqual({ usage: 5, quota: 100, isPersisted: true });
    expect(await saver.threads.persist()).toBe(true);
    for (const nothing of [undefined, {}, { estimate: () => Promise.reject(new TypeError("no origin")), persist: () => Promise.reject(new TypeError("no origin")) }]) {
      browser(nothing);
      expect(await saver.threads.estimate()).toBeUndefined();
      expect(await saver.persist()).toBe(false);
    }
  });

  databaseTest("is looked after seldom, while somebody listens, and its change is told once", async ({ open }) => {
    let usage = 0;
    let looks = 0;
    const quota = 1024 * MIB;
    browser({ estimate: async () => ({ usage, quota: (looks += 1) > 0 ? quota : 0 }) });
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const saver = open();
      let config = await put(saver, thread, 0);
      expect(looks).toBe(0);
      const heard: StorageNotice[] = [];
      const stop = saver.on("storage", (notice) => heard.push(notice));
      await vi.waitFor(() => expect(looks).toBe(1));
      for (let n = 1; n <= 40; n += 1) {
        if (n === 20) usage = quota - 40 * MIB;
        config = await put(saver, config, n);
        vi.setSystemTime(Date.now() + 10_000);
      }
      expect(looks).toBeLessThan(10);
      expect(heard).toStrictEqual([{ usage, quota, isPersisted: false, isLow: true }]);
      usage = 0;
      vi.setSystemTime(Date.now() + 100_000);
      await put(saver, config, 41);
      await vi.waitFor(() => expect(heard.map(({ isLow }) => isLow)).toStrictEqual([true, false]));
      stop();
      vi.setSystemTime(Date.now() + 100_000);
      const before = looks;
      await put(saver, config, 42);
      expect(looks).toBe(before);
    } finally {
      vi.useRealTimers();
    }
  });
});
