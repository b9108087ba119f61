import { describe, expect, vi } from "vitest";
import { IndexedDBSaver } from "../src/index.ts";
import { at, checkpointId, listedIds, put, valuesAt } from "./support/checkpoints.ts";
import { ChannelWorker } from "./support/channel-worker.ts";
import { databaseTest as it, inNode } from "./support/contract.ts";
import { databaseVersion, deleteDatabase } from "./support/raw-database.ts";

const thread = at("thread");

/** A worker of the application's own, and whether it was ended. */
function ownWorker(): { worker: Worker; ended: () => boolean } {
  const worker = inNode ? new ChannelWorker().asWorker() : new Worker(new URL("../src/worker/host.ts", import.meta.url), { type: "module" });
  const terminate = vi.spyOn(worker, "terminate");
  return { worker, ended: () => terminate.mock.calls.length > 0 };
}

describe("A worker of the application's own", () => {
  it("serves the saver it was made for, and is ended with it", async ({ open }) => {
    const { worker, ended } = ownWorker();
    const saver = open({ worker: () => worker });
    await put(saver, thread, 1, { values: { a: 1 } });
    expect(await valuesAt(saver, thread)).toStrictEqual({ a: 1 });
    expect(ended()).toBe(false);
    await saver.close();
    expect(ended()).toBe(true);
  });

  it("that the application made itself serves several savers, and is not ended", async ({ open }) => {
    const { worker, ended } = ownWorker();
    const [one, two] = [open({ worker }), open({ worker })];
    await put(one, thread, 1, { values: { a: 1 } });
    expect(await valuesAt(two, thread)).toStrictEqual({ a: 1 });
    await one.close();
    await put(two, at("thread", "", 1), 2, { values: { a: 2 } });
    await two.close();
    const three = open({ worker });
    expect(await valuesAt(three, thread)).toStrictEqual({ a: 2 });
    await three.close();
    expect(ended()).toBe(false);
    worker.terminate();
  });

  it("is not made before the first use", async ({ open }) => {
    const make = vi.fn(() => ownWorker().worker);
    const saver = open({ worker: make });
    await Promise.resolve();
    expect(make).not.toHaveBeenCalled();
    await Promise.all([saver.getTuple(thread), saver.getTuple(thread)]);
    expect(make).toHaveBeenCalledTimes(1);
  });
});

describe("Where the engine runs by default", () => {
  it(inNode ? "is here, since there is no Worker" : "is one worker of the package's own for all savers, and none is left when they are closed", async ({ database }) => {
    const made: Worker[] = [];
    const ended: Worker[] = [];
    const OwnWorker = globalThis.Worker as typeof Worker | undefined;
    if (OwnWorker !== undefined) {
      globalThis.Worker = class extends OwnWorker {
        constructor(...args: ConstructorParameters<typeof Worker>) {
          super(...args);
          made.push(this);
        }
        override terminate(): void {
          ended.push(this);
          super.terminate();
        }
      };
    }
    try {
      const savers = [new IndexedDBSaver({ name: database }), new IndexedDBSaver({ name: database })];
      await Promise.all(savers.map((saver, n) => put(saver, at(`thread ${n}`), n, { values: { n } })));
      expect(made).toHaveLength(inNode ? 0 : 1);
      await Promise.all(savers.map((saver) => saver.close()));
      expect(ended).toStrictEqual(made);
      for (let again = 0; again < 5; again += 1) {
        const next = new IndexedDBSaver({ name: database });
        const read = listedIds(next, {});
        await next.close(); // while it is still at work, as a page that is hot-reloaded does
        expect(await read).toStrictEqual([checkpointId(1), checkpointId(0)]);
        expect(ended).toStrictEqual(made);
      }
      expect(made).toHaveLength(inNode ? 0 : 6);
    } finally {
      if (OwnWorker !== undefined) globalThis.Worker = OwnWorker;
    }
  });

  it("is the database called langgraph", async ({ open }) => {
    const before = await databaseVersion("langgraph");
    expect(before).toBeUndefined();
    const saver = open({ name: undefined as unknown as string });
    await put(saver, thread, 1);
    expect(await databaseVersion("langgraph")).toBe(1);
    await saver.close();
    await deleteDatabase("langgraph");
  });
});
