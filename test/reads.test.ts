import { expect } from "vitest";
import { delta, messagesReducer, type ReadReport } from "../src/threads/index.ts";
import { at, put } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";
import { say } from "./support/thread-stores.ts";

const ITEMS = 100;
/** Of one read a clock that the browser rounds may see nothing. */
const READS = 40;
const items = Array.from({ length: ITEMS }, (_, index) => `item ${index}`);
const channels = { messages: delta(messagesReducer, { snapshotFrequency: 1000 }) };

/** Every report of what is read meanwhile. */
async function reportsOf(source: { on(type: "read", listener: (report: ReadReport) => void): () => void }, act: () => Promise<unknown>): Promise<ReadReport[]> {
  const reports: ReadReport[] = [];
  const off = source.on("read", (report) => reports.push(report));
  await act();
  off();
  return reports;
}

/** Made from writes, by a function that a worker does not have, and that every clock sees: a browser may round to a millisecond. */
const joined = delta((state: readonly string[], writes: readonly string[]) => {
  for (const start = performance.now(); performance.now() - start < 2; );
  return [...state, ...writes];
});

const sum = ({ storage, rebuild, transfer, decode }: ReadReport["ms"]): number => storage + rebuild + transfer + decode;

contract("A report of a read", (it, implementation) => {
  it("says what came from the database, and the next one what was in memory", async ({ saver, reopen }) => {
    await put(saver, at("t"), 1, { values: { list: items } });
    const reopened = await reopen();
    const read = () => reopened.getTuple(at("t"));
    const [cold] = await reportsOf(reopened, read);
    expect(cold).toMatchObject({ method: "getTuple", thread: "t", worker: implementation === "worker", elements: ITEMS, remembered: 0 });
    expect(cold!.rows).toBeGreaterThan(items.length / 32);
    expect(cold!.bytes).toBeGreaterThan(items.join("").length);
    const [warm] = await reportsOf(reopened, read);
    expect(warm).toMatchObject({ requests: 1, rows: 1, elements: ITEMS, remembered: ITEMS });
    expect(warm!.bytes).toBeLessThan(200);
  });

  it("divides its time among the stages", async ({ saver, reopen }) => {
    await put(saver, at("t"), 1, { values: { list: items } });
    const reopened = await reopen();
    const reports = await reportsOf(reopened, async () => {
      for (let n = 0; n < READS; n += 1) await reopened.getTuple(at("t"));
    });
    for (const { ms } of reports) {
      expect(sum(ms)).toBeCloseTo(ms.total);
      for (const stage of Object.values(ms)) expect(stage).toBeGreaterThanOrEqual(0);
    }
    expect(reports.some(({ ms }) => ms.storage > 0)).toBe(true);
    expect(reports.some(({ ms }) => ms.transfer > 0)).toBe(implementation === "worker");
  });

  it("comes for every kind of read", async ({ open }) => {
    const saver = open({ channels });
    const thread = saver.threads.thread("t");
    for (const id of ["a", "b", "c"]) await thread.append({ messages: say(id) });
    const reports = await reportsOf(saver.threads, async () => {
      await thread.values();
      await thread.slice("messages", { last: 2 });
      for await (const step of thread.history()) expect(step.id).toBeTypeOf("string");
      await saver.getTuple(at("t"));
      await saver.getDeltaChannelHistory({ config: at("t"), channels: ["messages"] });
      for await (const tuple of saver.list(at("t"))) expect(tuple.config).toBeDefined();
    });
    expect(reports.map(({ method }) => method)).toStrictEqual(["state", "slice", "history", "getTuple", "getDeltaChannelHistory", "list"]);
    for (const report of reports) expect(report.thread).toBe("t");
  });

  it("of a value that is made from writes counts what that needed", async ({ open, reopen }) => {
    const saver = open({ channels: { log: joined } });
    const thread = saver.threads.thread("t");
    for (const item of items.slice(0, 20)) await thread.append({ log: item.padEnd(100) });
    await reopen();
    const again = open({ channels: { log: joined } });
    const [report] = await reportsOf(again, () => again.threads.thread("t").values());
    expect(report!.elements - report!.remembered).toBe(20);
    expect(report!.ms.rebuild).toBeGreaterThan(0);
    expect(sum(report!.ms)).toBeCloseTo(report!.ms.total);
    const [remembered] = await reportsOf(again, () => again.threads.thread("t").values());
    expect(remembered!.elements).toBeGreaterThanOrEqual(20);
    expect(remembered!.remembered).toBe(remembered!.elements);
  });

  it("ends when it is no longer wanted, and each listener on its own", async ({ saver }) => {
    await put(saver, at("t"), 1, { values: { list: items } });
    const told: string[] = [];
    const listener = () => told.push("one");
    const [off, offAgain] = [saver.on("read", listener), saver.on("read", listener)];
    await saver.getTuple(at("t"));
    expect(told).toHaveLength(2);
    off();
    await saver.getTuple(at("t"));
    expect(told).toHaveLength(3);
    offAgain();
    await saver.getTuple(at("t"));
    expect(told).toHaveLength(3);
  });
});
