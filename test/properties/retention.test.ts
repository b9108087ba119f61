import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { IndexedDBSaver } from "../../src/index.ts";
import { idOf } from "../../src/idb/index.ts";
import { asyncDispose } from "../../src/threads/async-dispose.ts";
import { checkpointId } from "../support/checkpoints.ts";
import { freshName, type Implementation, implementations, openSaver } from "../support/contract.ts";
import { ownWorker } from "../support/own-worker.ts";
import { deleteDatabase, readRows } from "../support/raw-database.ts";
import { farStep, RecordedThread, runOf, smallStep, step, type Step } from "../support/recorded-thread.ts";
import { runs } from "../support/runs.ts";

/*
 * Threads with forks, in namespaces, with lists, maps and a delta channel, of which checkpoints are removed in every way there is, by
 * two tabs that take turns: what stays is what was put, and of what went there is no row.
 */

const removal = fc.oneof(
  fc.record({ kind: fc.constant("keep" as const), keepLast: fc.integer({ min: 1, max: 6 }), keepTips: fc.boolean() }),
  fc.record({ kind: fc.constant("latest" as const) }),
  fc.record({ kind: fc.constant("run" as const), run: fc.nat(4) }),
  fc.record({ kind: fc.constant("copy" as const) }),
  fc.record({ kind: fc.constant("delete" as const) }),
);
type Removal = typeof removal extends fc.Arbitrary<infer T> ? T : never;

const where = { thread: fc.nat(2), namespace: fc.nat(1), tab: fc.nat(1), reload: fc.integer({ min: 0, max: 4 }).map((die) => die === 0) };
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ...where, kind: fc.constant("step" as const), step }) },
  { weight: 1, arbitrary: fc.record({ ...where, kind: fc.constant("remove" as const), removal }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

class Database {
  readonly name = freshName();
  readonly threads = new Map<string, RecordedThread[]>();
  readonly #unique: boolean;
  readonly #open: readonly (() => IndexedDBSaver)[];
  readonly tabs: IndexedDBSaver[];
  #copies = 0;

  constructor(implementation: Implementation, unique: boolean) {
    this.#unique = unique;
    this.#open = [() => openSaver(implementation, { name: this.name }), () => openSaver("worker", { name: this.name, worker: ownWorker })];
    this.tabs = this.#open.map((open) => open());
    this.thread("first");
  }

  thread(id: string): RecordedThread[] {
    const thread = this.threads.get(id) ?? ["", "child"].map((namespace) => new RecordedThread(id, this.#unique, namespace));
    this.threads.set(id, thread);
    return thread;
  }

  async act(does: Action): Promise<void> {
    if (does.reload) {
      await this.tabs[does.tab]!.close();
      this.tabs[does.tab] = this.#open[does.tab]!();
    }
    const ids = [...this.threads.keys()];
    const id = ids[does.thread % ids.length] ?? "first";
    if (does.kind === "step") await this.thread(id)[does.namespace]!.put(this.tabs[does.tab]!, does.step);
    else await this.remove(this.tabs[does.tab]!, id, does.removal);
  }

  async remove(saver: IndexedDBSaver, id: string, removal: Removal): Promise<void> {
    const spaces = this.thread(id);
    switch (removal.kind) {
      case "keep": {
        const dry = await saver.threads.prune({ threads: [id], keepLast: removal.keepLast, keepTips: removal.keepTips, dryRun: true });
        const report = await saver.threads.prune({ threads: [id], keepLast: removal.keepLast, keepTips: removal.keepTips });
        expect(dry).toStrictEqual(report);
        const before = spaces.flatMap((space) => space.places).length;
        for (const space of spaces) space.dropAllBut(removal.keepLast, removal.keepTips);
        expect(report.threads.reduce((sum, { checkpoints }) => sum + checkpoints, 0)).toBe(before - spaces.flatMap((space) => space.places).length);
        break;
      }
      case "latest":
        await saver.prune([id, "none"], { strategy: "keep_latest" });
        for (const space of spaces) space.dropAllBut(1, false);
        break;
      case "run":
        await saver.deleteForRuns([runOf(removal.run)]);
        for (const space of [...this.threads.values()].flat()) space.drop((n) => runOf(n) === runOf(removal.run));
        break;
      case "copy": {
        if (spaces.every((space) => space.places.length === 0)) break;
        const target = `copy ${++this.#copies}`;
        await saver.copyThread(id, target);
        this.threads.set(target, spaces.map((space) => space.copyAs(target)));
        break;
      }
      case "delete":
        await saver.prune([id], { strategy: "delete" });
        this.threads.delete(id);
        break;
    }
  }

  /** Everything is what was put, as tabs see it, and there is nothing else. */
  async check(tabs: readonly IndexedDBSaver[] = this.tabs): Promise<void> {
    for (const saver of tabs) {
      for (const space of [...this.threads.values()].flat()) {
        await space.check(saver);
        await space.checkEach(saver);
      }
    }
    expect((await this.tabs[0]!.verify()).problems).toStrictEqual([]);
    const expected = [...this.threads.values()].flat().flatMap((space) => space.places.map(({ n }) => checkpointId(n)));
    const rows = await readRows(this.name);
    expect(rows.filter(({ store }) => store === "checkpoints").map(idIn).sort()).toStrictEqual(expected.sort());
    const there = new Set(expected);
    expect(rows.filter(({ store }) => store === "writes" || store === "pasts").map(idIn).filter((id) => !there.has(id))).toStrictEqual([]);
  }

  /** Of nothing, nothing is left. */
  async checkEnd(): Promise<void> {
    await this.tabs[0]!.deleteForRuns([0, 1, 2, 3, 4].map(runOf));
    const rows = await readRows(this.name);
    expect(rows.filter(({ store }) => !["meta", "threads", "revisions"].includes(store))).toStrictEqual([]);
    expect((await this.tabs[1]!.verify()).problems).toStrictEqual([]);
  }

  async [asyncDispose](): Promise<void> {
    await Promise.all(this.tabs.map((saver) => saver.close()));
    await deleteDatabase(this.name);
  }
}

function idIn({ key }: { readonly key: IDBValidKey }): string {
  return idOf((key as [number, string, string | ArrayBuffer])[2]);
}

describe.each(implementations)("What stays of threads (%s)", (implementation) => {
  it("is what it was, whatever goes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 20, size: "max" }), fc.boolean(), async (actions, unique) => {
        await using database = new Database(implementation, unique);
        for (const does of actions) {
          await database.act(does);
          if (does.kind === "remove") await database.check([database.tabs[1 - does.tab]!]);
        }
        await database.check();
        await database.checkEnd();
      }),
      runs(12),
    );
  }, 240_000);

  it("is what it was of a long thread too, which goes on", async () => {
    const long = fc.array(smallStep, { minLength: 100, maxLength: 140, size: "max" });
    const far: fc.Arbitrary<Step>[] = [farStep, farStep, farStep, smallStep];
    const rounds = fc.array(fc.record({ removal, tab: fc.nat(1), steps: fc.tuple(...far) }), { minLength: 2, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(long, rounds, fc.boolean(), async (steps, then, unique) => {
        await using database = new Database(implementation, unique);
        const [space] = database.thread("first");
        for (const each of steps) await space!.put(database.tabs[0]!, each);
        for (const { removal: does, tab, steps: after } of then) {
          await database.remove(database.tabs[tab]!, "first", does);
          for (const each of after) await database.thread("first")[0]!.put(database.tabs[1 - tab]!, each);
          await database.check([database.tabs[tab]!]);
        }
        await database.checkEnd();
      }),
      runs(2),
    );
  }, 240_000);
});
