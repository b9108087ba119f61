import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { IndexedDBSaver } from "../../src/index.ts";
import { asyncDispose } from "../../src/threads/async-dispose.ts";
import { freshName, implementations, openSaver } from "../support/contract.ts";
import { ownWorker } from "../support/own-worker.ts";
import { deleteDatabase } from "../support/raw-database.ts";
import { farStep, RecordedThread, smallStep, step } from "../support/recorded-thread.ts";
import { runs } from "../support/runs.ts";

/* Lists are long enough to fill blocks of rows, which are then merged; items large enough that a block takes several rows. */
const steps = fc.array(fc.record({ step, reload: fc.integer({ min: 0, max: 3 }).map((die) => die === 0), writer: fc.nat(1) }), { minLength: 2, maxLength: 24, size: "max" });
const unique = fc.boolean();

type Open = (database: string) => IndexedDBSaver;

/** Savers on one database that share no engine, each of which can be closed and opened again. */
class Tabs {
  readonly #name = freshName();
  readonly #open: readonly Open[];
  readonly savers: IndexedDBSaver[];

  constructor(open: readonly Open[]) {
    this.#open = open;
    this.savers = open.map((each) => each(this.#name));
  }

  async reload(tab: number): Promise<void> {
    await this.savers[tab]?.close();
    this.savers[tab] = this.#open[tab]!(this.#name);
  }

  /** Fails if the database has a row that is damaged, out of place or there twice, or a reference that leads nowhere. */
  async verify(): Promise<void> {
    expect((await this.savers[0]!.verify()).problems).toStrictEqual([]);
  }

  async [asyncDispose](): Promise<void> {
    await Promise.all(this.savers.map((saver) => saver.close()));
    await deleteDatabase(this.#name);
  }
}

/** Long enough that what was written at its beginning is no longer kept as it came. */
const longThread = fc.array(smallStep, { minLength: 100, maxLength: 130, size: "max" });

const inWorker: Open = (name) => openSaver("worker", { name, worker: ownWorker });

describe.each(implementations)("Any edits of lists, maps and records (%s)", (implementation) => {
  it("leave every checkpoint as it was put, at every moment", async () => {
    await fc.assert(
      fc.asyncProperty(steps, unique, async (sequence, versions) => {
        await using tabs = new Tabs([(name) => openSaver(implementation, { name })]);
        const thread = new RecordedThread("thread", versions);
        for (const each of sequence) {
          if (each.reload) await tabs.reload(0);
          await thread.put(tabs.savers[0]!, each.step);
          await thread.check(tabs.savers[0]!);
          if (each.reload) await tabs.verify();
        }
        await tabs.reload(0);
        await thread.checkEach(tabs.savers[0]!);
        await tabs.verify();
      }),
      runs(20),
    );
  }, 240_000);

  it("leave every checkpoint of a long thread as it was put, also when old ones are written to and forked", async () => {
    await fc.assert(
      fc.asyncProperty(longThread, fc.array(farStep, { minLength: 8, maxLength: 8 }), unique, async (sequence, far, versions) => {
        await using tabs = new Tabs([(name) => openSaver(implementation, { name }), inWorker]);
        const thread = new RecordedThread("thread", versions);
        for (const [n, each] of sequence.entries()) {
          await thread.put(tabs.savers[n % 40 === 20 ? 1 : 0]!, each);
          if (n % 16 === 0) await thread.check(tabs.savers[0]!);
        }
        await tabs.reload(0);
        for (const [n, each] of far.entries()) {
          await thread.put(tabs.savers[n % 2]!, each);
          await thread.check(tabs.savers[0]!);
        }
        for (const saver of tabs.savers) await thread.checkEach(saver);
        await tabs.verify();
      }),
      runs(4),
    );
  }, 240_000);
});

describe.each([
  ["inline and a worker", [(name: string) => openSaver("inline", { name }), inWorker]],
  ["two workers", [inWorker, inWorker]],
])("Any edits by two writers on one database (%s)", (_, open) => {
  it("leave every checkpoint as it was put, when they take turns, as a third one sees", async () => {
    await fc.assert(
      fc.asyncProperty(steps, unique, async (sequence, versions) => {
        await using tabs = new Tabs([...open, inWorker]); // The writers do not learn from their own checks.
        const thread = new RecordedThread("thread", versions);
        for (const each of sequence) {
          if (each.reload) await tabs.reload(each.writer);
          await thread.put(tabs.savers[each.writer]!, each.step);
          await thread.check(tabs.savers[2]!);
        }
        for (const saver of tabs.savers) await thread.checkEach(saver);
        await tabs.verify();
      }),
      runs(14),
    );
  }, 240_000);

  it("leave every checkpoint as it was put, when neither waits for the other", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        await using tabs = new Tabs(open);
        const thread = new RecordedThread("thread", true);
        await Promise.all(
          tabs.savers.map(async (_saver, writer) => {
            for (const each of sequence.filter((other) => other.writer === writer)) {
              if (each.reload) await tabs.reload(writer);
              await thread.put(tabs.savers[writer]!, each.step);
              await thread.check(tabs.savers[writer]!);
            }
          }),
        );
        await Promise.all(tabs.savers.map((saver) => thread.checkEach(saver)));
        await tabs.verify();
      }),
      runs(14),
    );
  }, 240_000);
});
