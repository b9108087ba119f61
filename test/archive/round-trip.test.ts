import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { IndexedDBSaver } from "../../src/index.ts";
import { asyncDispose } from "../../src/threads/async-dispose.ts";
import { at, listed, put } from "../support/checkpoints.ts";
import { freshName, implementations, openSaver } from "../support/contract.ts";
import { difference } from "../support/difference.ts";
import { deleteDatabase, readRows } from "../support/raw-database.ts";
import { RecordedThread, type Step, step } from "../support/recorded-thread.ts";
import { runs } from "../support/runs.ts";
import { wholeThread } from "../support/whole-thread.ts";

const id = fc.oneof(fc.constantFrom("thread", "__proto__", "a\0b", "\uffff", "\u{1f600}", '["a"]', "x".repeat(3000)), fc.string({ unit: "grapheme", minLength: 1 }));

interface Planned {
  readonly id: string;
  readonly unique: boolean;
  readonly steps: readonly Step[];
  /** How many of the steps the first of two exports has. */
  readonly early: number;
  /** Subgraphs, and how many checkpoints each has. */
  readonly namespaces: readonly (readonly [string, number])[];
  readonly title: string | undefined;
  /** What is kept when the thread is pruned: before the first export, and before the second. */
  readonly kept: readonly [Kept | undefined, Kept | undefined];
}

interface Kept {
  readonly keepLast: number;
  readonly keepTips: boolean;
}

const kept: fc.Arbitrary<Kept | undefined> = fc.option(fc.record({ keepLast: fc.integer({ min: 1, max: 5 }), keepTips: fc.boolean() }), { nil: undefined });

const planned: fc.Arbitrary<Planned> = fc.record({
  id,
  unique: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: 10, size: "max" }),
  early: fc.nat(14),
  namespaces: fc.array(fc.tuple(id.map((name) => `child:${name}`), fc.integer({ min: 1, max: 4 })), { maxLength: 2 }),
  title: fc.option(fc.string({ unit: "grapheme" }), { nil: undefined }),
  kept: fc.tuple(kept, kept),
});

const plan = fc.uniqueArray(planned, { minLength: 1, maxLength: 3, selector: (each) => each.id });

/** Savers on databases of their own. */
class Databases {
  readonly #open: (name: string) => IndexedDBSaver;
  readonly #opened: { name: string; saver: IndexedDBSaver }[] = [];

  constructor(open: (name: string) => IndexedDBSaver) {
    this.#open = open;
  }

  next(): IndexedDBSaver {
    const name = freshName();
    const saver = this.#open(name);
    this.#opened.push({ name, saver });
    return saver;
  }

  nameOf(saver: IndexedDBSaver): string {
    return this.#opened.find((each) => each.saver === saver)!.name;
  }

  async [asyncDispose](): Promise<void> {
    for (const { name, saver } of this.#opened) {
      await saver.close();
      await deleteDatabase(name);
    }
  }
}

class Source {
  readonly #plan: Planned;
  readonly thread: RecordedThread;
  /** As the first export has it. */
  early: RecordedThread;

  constructor(plan: Planned) {
    this.#plan = plan;
    this.thread = new RecordedThread(plan.id, plan.unique);
    this.early = this.thread;
  }

  async begin(saver: IndexedDBSaver): Promise<void> {
    for (const each of this.#plan.steps.slice(0, this.#plan.early)) await this.thread.put(saver, each);
    await this.#prune(saver, this.#plan.kept[0]);
    this.early = this.thread.copyAs(this.thread.id);
  }

  async goOn(saver: IndexedDBSaver): Promise<void> {
    const { id: thread, steps, early, namespaces, title } = this.#plan;
    for (const each of steps.slice(early)) await this.thread.put(saver, each);
    for (const [namespace, count] of namespaces) {
      for (let n = 1; n <= count; n++) {
        await saver.putWrites(at(thread, namespace, n), [["list", `written on ${n}`.repeat(9)], ["__resume__", n]], "task", "a path");
        await put(saver, at(thread, namespace, n === 1 ? undefined : n - 1), n, { values: { list: Array.from({ length: n }, (_, item) => `item ${item} `.repeat(9)), n } });
      }
    }
    await saver.putWrites(at(thread, "loose", 1), [["x", "a write whose checkpoint never came, longer than what stays in a row"]], "task");
    if (title !== undefined) await saver.threads.update(thread, { title, metadata: { title } });
    await this.#prune(saver, this.#plan.kept[1]);
  }

  /** Whether the first export has something that the second one lacks. */
  get isLess(): boolean {
    return this.early.merge(this.thread).places.length > this.thread.places.length;
  }

  async #prune(saver: IndexedDBSaver, policy: Kept | undefined): Promise<void> {
    if (policy === undefined) return;
    await saver.threads.prune({ threads: [this.thread.id], ...policy });
    this.thread.dropAllBut(policy.keepLast, policy.keepTips);
  }
}

const fileOf = (saver: IndexedDBSaver): Promise<Blob> => new Response(saver.threads.export()).blob();

async function requireEqual(found: unknown, expected: unknown): Promise<void> {
  const reason = difference(await found, await expected);
  if (reason !== undefined) throw new Error(reason);
}

async function requireClean(saver: IndexedDBSaver): Promise<void> {
  expect((await saver.verify()).problems).toStrictEqual([]);
}

describe.each(implementations)("An export, imported (%s)", (implementation) => {
  it("is what it was, pruned or not: in an empty database, in one that has a part of it, twice, and under other ids", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (plans) => {
        await using databases = new Databases((name) => openSaver(implementation, { name }));
        const original = databases.next();
        const sources = plans.map((each) => new Source(each));
        for (const source of sources) await source.begin(original);
        const first = await fileOf(original);
        for (const source of sources) await source.goOn(original);
        const late = await fileOf(original);

        const [empty, part, copy] = [databases.next(), databases.next(), databases.next()];
        await empty.threads.import(late);
        await part.threads.import(first);
        await requireClean(part);
        await part.threads.import(late.stream());
        const { threads } = await copy.threads.import(late, { mode: "new-id" });
        for (const { thread, early, isLess } of sources) {
          for (const saver of isLess ? [empty] : [empty, part]) {
            await thread.check(saver);
            await thread.checkEach(saver);
          }
          await requireEqual(wholeThread(empty, thread.id), wholeThread(original, thread.id));
          const merged = early.merge(thread);
          await merged.check(part);
          await merged.checkEach(part);
          const { id: copied = "" } = threads.find(({ from }) => from === thread.id) ?? {};
          expect(copied).not.toBe(thread.id);
          await requireEqual(wholeThread(copy, copied), wholeThread(original, thread.id));
        }
        for (const saver of [empty, part, copy]) await requireClean(saver);

        for (const saver of [original, empty, part]) {
          const before = await readRows(databases.nameOf(saver));
          const isNews = saver !== part && sources.some(({ isLess }) => isLess);
          for (const file of isNews ? [late, await fileOf(empty)] : [late, first, await fileOf(empty)]) {
            for (const { outcome } of (await saver.threads.import(file)).threads) expect(outcome).toBe("unchanged");
          }
          expect(difference(await readRows(databases.nameOf(saver)), before)).toBeUndefined();
        }

        await empty.threads.import(first);
        for (const { thread, early } of sources) {
          const merged = thread.merge(early);
          await merged.check(empty);
          await merged.checkEach(empty);
          await empty.threads.prune({ threads: [thread.id], keepLast: 2, keepTips: false });
          merged.dropAllBut(2, false);
          await merged.check(empty);
          await merged.checkEach(empty);
        }
        await requireClean(empty);
      }),
      runs(5),
    );
  }, 240_000);

  it("of a long thread, merged into one that went on otherwise, gives both what each had, and stores it once", async () => {
    await using databases = new Databases((name) => openSaver(implementation, { name }));
    const [one, two] = [databases.next(), databases.next()];
    const values = new Map<number, string[]>();
    const goOn = async (saver: IndexedDBSaver, from: number, first: number, count: number): Promise<void> => {
      let parent = from;
      for (let n = first; n < first + count; n++) {
        const messages = [...(values.get(parent) ?? []), `what was said in step ${n} `.repeat(6)];
        values.set(n, messages);
        await saver.putWrites(at("thread", "", parent === 0 ? n : parent), [["messages", messages.at(-1)]], `task ${n}`);
        await put(saver, at("thread", "", parent === 0 ? undefined : parent), n, { values: { messages }, versions: { messages: n + 0.5 } });
        parent = n;
      }
    };
    await goOn(one, 0, 1, 100);
    await two.threads.import(await fileOf(one));
    await goOn(one, 100, 101, 30);
    await goOn(one, 50, 201, 10);
    await goOn(two, 100, 301, 30);
    const fromOne = await fileOf(one);
    const { threads } = await one.threads.import(await fileOf(two));
    expect(threads).toMatchObject([{ outcome: "merged", checkpoints: 30, writes: 30 }]);
    await two.threads.import(fromOne);
    for (const saver of [one, two]) {
      expect((await listed(saver, at("thread"))).map(({ checkpoint }) => checkpoint.channel_values["messages"])).toStrictEqual(
        [...values].toSorted(([a], [b]) => b - a).map(([, messages]) => messages),
      );
      await requireClean(saver);
      expect((await saver.verify()).checked).toMatchObject({ checkpoints: 170, writes: 170, elements: 170 });
    }
    await goOn(two, 330, 401, 3);
    expect((await two.verify()).checked.elements).toBe(173);
    expect((await one.threads.import(await fileOf(two))).threads).toMatchObject([{ outcome: "merged", checkpoints: 3 }]);
    expect((await one.threads.import(await fileOf(two))).threads).toMatchObject([{ outcome: "unchanged" }]);
  }, 120_000);
});
