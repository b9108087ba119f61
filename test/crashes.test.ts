import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { IndexedDBSaver } from "../src/index.ts";
import { freshName, type Implementation, implementations, inNode, openSaver } from "./support/contract.ts";
import type { Fault } from "./support/faults.ts";
import { onNewDatabase } from "./support/faulty-saver.ts";
import { ownWorker } from "./support/own-worker.ts";
import { deleteDatabase } from "./support/raw-database.ts";
import { farStep, RecordedThread, smallStep, type Step, step } from "./support/recorded-thread.ts";
import { runs } from "./support/runs.ts";

const forGood = 1_000_000;
/** Where in a transaction: at its commit, or after so many rows. In a real browser, where every step is slower, at half of them. */
const places = inNode ? (["commit", 1, 2, 4] as const) : (["commit", 2] as const);

/** A list of more than one block, and then whatever comes. */
const long: Step = {
  back: 0,
  edits: [{ channel: "messages", change: { kind: "append", items: [{ kind: "object", size: 100, seed: 0 }], times: 60 } }],
  snapshot: true,
  writes: "next",
};
const before = [long, ...fc.sample(step, { numRuns: 8, seed: 3 })];
const after = fc.sample(step, { numRuns: 5, seed: 4 });
/** At the 65th checkpoint of a branch the writes of the first 32 are packed into one row. */
const almostPacked = fc.sample(smallStep, { numRuns: 62, seed: 5 });
const packing = fc.sample(smallStep, { numRuns: 6, seed: 6 });
const fromAnywhere = fc.sample(farStep, { numRuns: 6, seed: 7 });

/** Puts steps until one fails, and says how many did not. */
async function putUntilFailure(thread: RecordedThread, saver: IndexedDBSaver, steps: readonly Step[]): Promise<number> {
  for (const [done, each] of steps.entries()) {
    try {
      await thread.put(saver, each);
    } catch {
      return done;
    }
  }
  return steps.length;
}

interface Scenario {
  readonly prepared: readonly Step[];
  readonly crashing: readonly Step[];
  readonly afterwards: readonly Step[];
}

/** After so many transactions of a scenario's second part all fail; another saver finds what was acknowledged and goes on. Says how many steps were. */
function crash(implementation: Implementation, { prepared, crashing, afterwards }: Scenario, transactions: number, at: Fault["at"] & {}): Promise<number> {
  return onNewDatabase(implementation, async ({ saver, failCommits, open }) => {
    const thread = new RecordedThread("thread", transactions % 2 === 0);
    expect(await putUntilFailure(thread, saver, prepared)).toBe(prepared.length);
    failCommits({ count: forGood, error: "UnknownError", after: transactions, at });
    const done = await putUntilFailure(thread, saver, crashing);
    failCommits({ count: 0 });
    await saver.close();

    const next = open();
    await thread.check(next);
    expect(await putUntilFailure(thread, next, afterwards)).toBe(afterwards.length);
    await thread.check(next);
    expect((await next.verify()).problems).toStrictEqual([]);
    return done;
  });
}

describe.each(implementations)("A crash (%s)", (implementation) => {
  it.each(places)("after any number of transactions (%s), leaves all that was acknowledged", async (place) => {
    const scenario = { prepared: [], crashing: before, afterwards: after };
    let acknowledged = 0;
    for (let transactions = 0; acknowledged < before.length; transactions += 1) acknowledged = await crash(implementation, scenario, transactions, place);
    expect(acknowledged).toBe(before.length);
  }, 240_000);

  it.each(places)("while writes are packed (%s), leaves all that was acknowledged", async (place) => {
    const scenario = { prepared: almostPacked, crashing: packing, afterwards: fromAnywhere };
    let acknowledged = 0;
    for (let transactions = 0; acknowledged < packing.length; transactions += 1) acknowledged = await crash(implementation, scenario, transactions, place);
    expect(acknowledged).toBe(packing.length);
  }, 240_000);

  it.each(places)("of one transaction alone (%s), leaves nothing behind in what the saver remembers", async (place) => {
    for (let transactions = 0; transactions < before.length; transactions += 1) {
      await onNewDatabase(implementation, async ({ saver, failCommits, open }) => {
        const thread = new RecordedThread("thread", transactions % 2 === 0);
        failCommits({ count: 1, error: "QuotaExceededError", after: transactions, at: place });
        for (const each of before) await putUntilFailure(thread, saver, [each]);
        failCommits({ count: 0 });
        await thread.check(saver);
        await thread.check(open({ worker: ownWorker }));
        expect((await saver.verify()).problems).toStrictEqual([]);
        expect(thread.acknowledged).toBeGreaterThanOrEqual(before.length - 1);
      });
    }
  }, 240_000);
});

describe("A crash (encrypted)", () => {
  it.each(["commit", 2] as const)("after any number of transactions (%s), leaves all that was acknowledged", async (place) => {
    const scenario = { prepared: [], crashing: before.slice(0, 4), afterwards: after.slice(0, 2) };
    let acknowledged = 0;
    for (let transactions = 0; acknowledged < scenario.crashing.length; transactions += 1) acknowledged = await crash("encrypted", scenario, transactions, place);
    expect(acknowledged).toBe(scenario.crashing.length);
  }, 240_000);
});

describe("A worker that is ended at any moment", () => {
  it("leaves all that was acknowledged, and the next one goes on", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.array(step, { minLength: 8, maxLength: 8 }), fc.nat(40)), { minLength: 1, maxLength: 4 }), async (lives) => {
        const name = freshName();
        let worker: Worker | undefined;
        const saver = openSaver("worker", { name, worker: () => (worker = ownWorker()) });
        const reader = openSaver("inline", { name });
        const threads = [new RecordedThread("one", true), new RecordedThread("two", true)];
        try {
          for (const [steps, moment] of lives) {
            const writing = Promise.all(threads.map((thread) => putUntilFailure(thread, saver, steps)));
            await new Promise((resolve) => setTimeout(resolve, moment));
            worker?.terminate();
            worker?.dispatchEvent(new Event("error")); // An end from outside tells nobody: without this the calls wait for their limit.
            await writing;
            for (const thread of threads) await thread.check(reader);
            expect((await reader.verify()).problems).toStrictEqual([]);
          }
          for (const thread of threads) await thread.check(saver);
        } finally {
          await saver.close();
          await reader.close();
          await deleteDatabase(name);
        }
      }),
      runs(40),
    );
  }, 240_000);
});
