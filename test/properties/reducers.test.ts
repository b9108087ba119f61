import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IndexedDBSaver } from "../../src/index.ts";
import { CheckpointError, Overwrite, removeMessage, type Thread, ThreadStore, type Update, type WorkerOption } from "../../src/threads/index.ts";
import { serve } from "../../src/worker/host.ts";
import { ChannelWorker } from "../support/channel-worker.ts";
import { freshName, inNode } from "../support/contract.ts";
import { ownWorker } from "../support/own-worker.ts";
import { deleteDatabase } from "../support/raw-database.ts";
import { applicationChannels } from "../support/reducers.ts";
import { runs } from "../support/runs.ts";

type Channels = ReturnType<typeof applicationChannels>;

/** A worker that has the application's reducers. */
const reducingWorker = (): Worker =>
  inNode
    ? new ChannelWorker((endpoint) => serve({ endpoint, channels: applicationChannels() })).asWorker()
    : new Worker(new URL("../support/reducing-worker.ts", import.meta.url), { type: "module" });

const message = fc.record({ id: fc.constantFrom("a", "b", "c", "d"), content: fc.string() });
const update: fc.Arbitrary<Update<Channels>> = fc.record(
  {
    messages: fc.oneof(message, fc.array(message, { maxLength: 3 }), fc.constantFrom("a", "b").map(removeMessage)),
    numbers: fc.oneof(fc.nat(99), fc.array(fc.nat(99), { maxLength: 30 }), fc.array(fc.nat(9), { maxLength: 2 }).map((value) => new Overwrite(value))),
    counts: fc.constantFrom("x", "y", "z"),
    sum: fc.nat(9),
    title: fc.string(),
  },
  { requiredKeys: [] },
);
/** One for all runs, and one for the other kind: to start them takes longer than a run. */
const [reducing, plain] = [reducingWorker(), ownWorker()];

/** Which of the checkpoints so far a step goes on from: undefined is where the thread is. */
const plan = fc.array(fc.record({ update, from: fc.option(fc.nat(30), { nil: undefined, freq: 4 }) }), { minLength: 1, maxLength: 14 });

/** The values after every step, read by a store that remembers nothing. */
async function valuesOf(steps: readonly { update: Update<Channels>; from: number | undefined }[], worker: WorkerOption, onReduce: () => void) {
  const options = { name: freshName(), worker, channels: applicationChannels(onReduce) };
  const ids: string[] = [];
  {
    await using store = new ThreadStore(options);
    const thread = store.thread("t");
    for (const { update: each, from } of steps) {
      const handle = from === undefined || ids.length === 0 ? thread : thread.fork(ids[from % ids.length]!);
      ids.push(await appendOrFork(handle, each));
    }
  }
  try {
    await using store = new ThreadStore(options);
    await using saver = new IndexedDBSaver({ name: options.name, worker: false });
    expect((await saver.verify()).problems).toStrictEqual([]);
    return await Promise.all(ids.map((at) => store.thread("t").values({ at })));
  } finally {
    await deleteDatabase(options.name);
  }
}

/** A fork of where a handle stands goes on from there, and then the handle itself makes a branch. */
async function appendOrFork(handle: Thread<Channels>, update: Update<Channels>): Promise<string> {
  try {
    return await handle.append(update);
  } catch (error) {
    if (!CheckpointError.is(error) || error.code !== "conflict") throw error;
    return handle.append(update, { stale: "fork" });
  }
}

describe("Values", () => {
  it("are the same wherever the reducers run: in this realm, behind a worker without them, and in a worker that has them", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (steps) => {
        const here = await valuesOf(steps, false, () => undefined);
        expect(await valuesOf(steps, plain, () => undefined)).toStrictEqual(here);
        let calls = 0;
        expect(await valuesOf(steps, reducing, () => calls++)).toStrictEqual(here);
        expect(calls).toBe(0);
      }),
      runs(30),
    );
  });

  it("at a checkpoint are those of its path alone, replayed step by step", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (steps) => {
        const found = await valuesOf(steps, false, () => undefined);
        const expected: Record<string, unknown>[] = [];
        let main: Record<string, unknown> | undefined;
        for (const { update: each, from } of steps) {
          const isFork = from !== undefined && expected.length > 0;
          const before: Record<string, unknown> = (isFork ? expected[from % expected.length] : main) ?? { messages: [], numbers: [], counts: {}, sum: 100 };
          const after = applied(before, each);
          if (!isFork) main = after;
          expected.push(after);
        }
        expect(found).toStrictEqual(expected);
      }),
      runs(60),
    );
  });
});

/** What a step makes of a state, said plainly. */
function applied(before: Record<string, unknown>, step: Update<Channels>): Record<string, unknown> {
  const channels = applicationChannels();
  const after: Record<string, unknown> = { ...before };
  if (step.messages !== undefined) after["messages"] = channels.messages.reducer(before["messages"] as never, [step.messages as never]);
  if (step.numbers instanceof Overwrite) after["numbers"] = step.numbers.value;
  else if (step.numbers !== undefined) after["numbers"] = [...(before["numbers"] as number[]), step.numbers].flat();
  if (typeof step.counts === "string") after["counts"] = channels.counts.reducer(before["counts"] as Record<string, number>, [step.counts]);
  if (typeof step.sum === "number") after["sum"] = (before["sum"] as number) + step.sum;
  if (step.title !== undefined) after["title"] = step.title;
  return after;
}
