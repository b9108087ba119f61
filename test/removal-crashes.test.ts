import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LocalEngine } from "../src/engine/index.ts";
import type { CheckpointId, Namespace, ThreadId } from "../src/idb/index.ts";
import type { IndexedDBSaver } from "../src/index.ts";
import { checkpointId } from "./support/checkpoints.ts";
import { freshName, implementations, openSaver } from "./support/contract.ts";
import { onNewDatabase } from "./support/faulty-saver.ts";
import { deleteDatabase } from "./support/raw-database.ts";
import { RecordedThread, smallStep, step } from "./support/recorded-thread.ts";

/** Some forks, and a branch that is long enough for packed writes. */
const steps = [...fc.sample(step, { numRuns: 6, seed: 11 }), ...fc.sample(smallStep, { numRuns: 70, seed: 12 }), ...fc.sample(step, { numRuns: 6, seed: 13 })];

async function recorded(saver: IndexedDBSaver): Promise<RecordedThread> {
  const thread = new RecordedThread("thread", true);
  for (const each of steps) await thread.put(saver, each);
  return thread;
}

async function requireWhole(saver: IndexedDBSaver, thread: RecordedThread): Promise<void> {
  await thread.check(saver);
  await thread.checkEach(saver);
  expect((await saver.verify()).problems).toStrictEqual([]);
}

describe.each(implementations)("A removal that fails (%s)", (implementation) => {
  it("leaves everything as it was, and can be done again", async () => {
    await onNewDatabase(implementation, async ({ saver, failCommits, open }) => {
      const thread = await recorded(saver);
      for (const at of ["commit", 1, 20] as const) {
        failCommits({ count: 100, error: "UnknownError", at });
        await expect(saver.prune(["thread"])).rejects.toMatchObject({ code: "transaction-failed" });
        failCommits({ count: 0 });
      }
      await requireWhole(saver, thread);
      const next = open();
      await requireWhole(next, thread);
      await next.prune(["thread"]);
      thread.drop((n) => n < steps.length);
      for (const reader of [saver, next]) await requireWhole(reader, thread);
    });
  });
});

describe("A removal in several transactions", () => {
  it("leaves after each what is left as it was, in whatever order they come", async () => {
    const name = freshName();
    const saver = openSaver("inline", { name });
    const engine = new LocalEngine(name);
    try {
      const thread = await recorded(saver);
      const remove = async (numbers: readonly number[]) => {
        const request = { thread: "thread" as ThreadId, namespace: "" as Namespace, reclaim: false, change: "rows", durability: "relaxed" } as const;
        expect((await engine.remove({ ...request, remove: numbers.map((n) => checkpointId(n) as CheckpointId) })).checkpoints).toBe(numbers.length);
        thread.drop((n) => numbers.includes(n));
        await requireWhole(saver, thread);
      };
      const all = thread.places.map(({ n }) => n);
      await remove(all.filter((n) => n > 40 && n < 60));
      await remove(all.filter((n) => n <= 20));
      await remove(all.filter((n) => n > 20 && n <= 40 && n % 3 === 0));
      await saver.prune(["thread"]);
      thread.drop((n) => n < steps.length);
      await requireWhole(saver, thread);
    } finally {
      await Promise.all([saver.close(), engine.close()]);
      await deleteDatabase(name);
    }
  });
});
