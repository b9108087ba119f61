import { afterEach, expect, vi } from "vitest";
import type { IndexedDBSaver } from "../../src/index.ts";
import { at, listedIds, put, valuesAt } from "../support/checkpoints.ts";
import { contract } from "../support/contract.ts";
import { difference } from "../support/difference.ts";
import { errorOf } from "../support/errors.ts";
import { faultySaver } from "../support/faulty-saver.ts";
import { readRows } from "../support/raw-database.ts";

/** Steps of some noise, so that a file has many blocks. */
async function fill(saver: IndexedDBSaver, thread: string, steps: number, size = 60_000): Promise<void> {
  let parent = at(thread);
  for (let step = 1; step <= steps; step++) parent = await put(saver, parent, step, { values: { noise: noise(size), step } });
}

const noise = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size));

const fileOf = (saver: IndexedDBSaver, threads?: string[]): Promise<Blob> => new Response(saver.threads.export(threads === undefined ? {} : { threads })).blob();

contract("An import", (it, implementation) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("replaces what is there, or takes ids that one gives it", async ({ saver }) => {
    await fill(saver, "a", 3, 100);
    const file = await fileOf(saver);
    await put(saver, at("a", "", 3), 4, { values: { step: 4 } });
    expect((await saver.threads.import(file, { mode: "replace" })).threads).toMatchObject([{ id: "a", outcome: "replaced", checkpoints: 3 }]);
    expect(await listedIds(saver, at("a"))).toHaveLength(3);
    expect((await saver.threads.import(file, { mode: "new-id", ids: { a: "b" } })).threads).toMatchObject([{ id: "b", from: "a", outcome: "added" }]);
    expect((await errorOf(saver.threads.import(file, { mode: "new-id", ids: { a: "b" } }))).code).toBe("invalid-config");
    await put(saver, at("b", "", 3), 4, { values: { step: 4 } });
    expect(await valuesAt(saver, at("b"))).toStrictEqual({ step: 4 });
    expect((await saver.verify()).problems).toStrictEqual([]);
  });

  it("of which nothing is kept says the same, and changes nothing", async ({ saver, database }) => {
    await fill(saver, "a", 3, 100);
    await fill(saver, "b", 2, 100);
    const file = await fileOf(saver);
    await saver.deleteThread("b");
    const before = await readRows(database);
    const said = await saver.threads.import(file, { dryRun: true });
    expect(said.threads).toMatchObject([{ id: "a", outcome: "unchanged" }, { id: "b", outcome: "added", checkpoints: 2 }]);
    expect(difference(await readRows(database), before)).toBeUndefined();
    expect(await saver.threads.import(file)).toStrictEqual(said);
  });

  it("that is aborted leaves nothing, and says why", async ({ saver, database }) => {
    await fill(saver, "a", 40);
    const file = await fileOf(saver);
    await saver.deleteThread("a");
    const before = await readRows(database);
    const control = new AbortController();
    const seen: number[] = [];
    const importing = saver.threads.import(file, {
      signal: control.signal,
      onProgress: ({ checkpoints }) => {
        seen.push(checkpoints);
        if (checkpoints > 0) control.abort(new Error("enough"));
      },
    });
    await expect(importing).rejects.toThrow("enough");
    expect(seen.at(-1)).toBeLessThan(40);
    expect(difference(await readRows(database), before)).toBeUndefined();
    await expect(saver.threads.import(file, { signal: AbortSignal.abort(new Error("never")) })).rejects.toThrow("never");
    await saver.threads.import(file);
    expect(await listedIds(saver, at("a"))).toHaveLength(40);
  });

  it("shows nothing of a file before all of it", async ({ saver, open }) => {
    await fill(saver, "a", 12);
    await fill(saver, "b", 12);
    const file = await fileOf(saver);
    await saver.deleteThread("a");
    await fill(saver, "b", 1);
    await saver.deleteThread("b");
    const reader = open({ worker: false });
    const found: number[] = [];
    await saver.threads.import(file.stream().pipeThrough(new TransformStream({ transform: async (part: Uint8Array<ArrayBuffer>, to) => {
      to.enqueue(part);
      found.push((await reader.threads.list()).length);
    } })));
    expect(Math.max(...found)).toBe(0);
    expect(await reader.threads.list()).toHaveLength(2);
  });

  it("is refused where the thread that it is merged into is written to meanwhile", async ({ saver, open, database }) => {
    await fill(saver, "a", 3, 100);
    const early = await fileOf(saver);
    await put(saver, at("a", "", 3), 4, { values: { step: 4 } });
    const late = await fileOf(saver);
    await saver.threads.import(early, { mode: "replace" });
    const other = open({ worker: false });
    let begun = (): void => undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const flush = async (): Promise<void> => {
      await beginning;
      await put(other, at("a", "", 3), 5, { values: { step: 5 } });
    };
    const error = await errorOf(saver.threads.import(late.stream().pipeThrough(new TransformStream({ flush })), { onProgress: begun }));
    expect(error).toMatchObject({ code: "thread-changed", thread: "a" });
    const rows = await readRows(database);
    expect(await listedIds(saver, at("a"))).toHaveLength(4);
    expect((await saver.verify()).notes).toStrictEqual([]);
    expect((await saver.threads.import(late)).threads).toMatchObject([{ outcome: "merged", checkpoints: 1 }]);
    expect(difference(await readRows(database), rows)).not.toBeUndefined();
    expect(await listedIds(saver, at("a"))).toHaveLength(5);
  });

  it("leaves nothing when a transaction fails, whichever it is", async ({ open, database }) => {
    const { saver, failCommits } = faultySaver(implementation, open);
    await fill(saver, "a", 4, 100);
    await fill(saver, "b", 4, 100);
    const file = await fileOf(saver);
    await saver.deleteThread("b");
    await saver.threads.import(await fileOf(saver), { mode: "replace" });
    await put(saver, at("a", "", 4), 5, { values: { step: 5 } });
    const before = await readRows(database);
    let failed = 0;
    for (let after = 0; ; after++) {
      failCommits({ count: 1, after, error: "QuotaExceededError" });
      const outcome = await saver.threads.import(file, { mode: "replace" }).then(() => "done", (error: { code: string }) => error.code);
      failCommits({ count: 0 });
      if (outcome === "done") break;
      failed++;
      expect(outcome).toBe("quota-exceeded");
      expect(difference(await readRows(database), before)).toBeUndefined();
    }
    expect(failed).toBeGreaterThan(3);
    expect((await saver.verify()).problems).toStrictEqual([]);
  });

  it("whose page is gone is found by verify, which takes it for no fault, and removed by the next one", async ({ saver, open, database }) => {
    await fill(saver, "a", 12);
    const file = await fileOf(saver);
    const before = await readRows(database);
    const { saver: gone, failCommits } = faultySaver(implementation, open);
    await expect(
      gone.threads.import(file.stream(), {
        mode: "replace",
        onProgress: ({ checkpoints }) => {
          if (checkpoints === 0) return;
          failCommits({ count: 1_000_000, error: "UnknownError" });
          throw new Error("gone");
        },
      }),
    ).rejects.toThrow("gone");
    failCommits({ count: 0 });
    expect((await readRows(database)).length).toBeGreaterThan(before.length);
    expect(await saver.verify()).toMatchObject({ problems: [], notes: [{ code: "unfinished-import" }] });
    vi.setSystemTime(Date.now() + 11 * 60_000); // For a Node without locks.
    await saver.threads.import(await fileOf(saver));
    expect(difference(await readRows(database), before)).toBeUndefined();
  });
});

contract("An import that waits for its file", (it) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is left alone by another one; where there are no locks to tell, it fails, and shows no thread without its rows", async ({ saver, open }) => {
    await fill(saver, "a", 3, 100);
    const file = await fileOf(saver);
    await saver.deleteThread("a");
    let begun = (): void => undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const flush = async (): Promise<void> => {
      await beginning;
      vi.setSystemTime(Date.now() + 11 * 60_000);
      await open({ worker: false }).threads.import(file, { mode: "new-id" });
    };
    const waiting = saver.threads.import(file.stream().pipeThrough(new TransformStream({ flush })), { onProgress: begun });
    const hasLocks = (globalThis.navigator as Partial<Navigator> | undefined)?.locks !== undefined;
    if (hasLocks) await waiting;
    else expect((await errorOf(waiting)).code).toBe("thread-changed");
    expect(await listedIds(saver, at("a"))).toHaveLength(hasLocks ? 3 : 0);
    expect(await saver.threads.list()).toHaveLength(hasLocks ? 2 : 1);
    expect(await saver.verify()).toMatchObject({ problems: [], notes: [] });
  });
});

contract("An export", (it) => {
  it("is of the threads that one names", async ({ saver }) => {
    for (const thread of ["a", "b", "c"]) await fill(saver, thread, 1, 100);
    const file = await fileOf(saver, ["c", "a"]);
    expect((await saver.threads.import(file, { dryRun: true })).threads.map(({ id }) => id)).toStrictEqual(["c", "a"]);
    expect((await errorOf(saver.threads.export({ threads: ["d"] }).getReader().read())).code).toBe("invalid-config");
  });

  it("is made as it is read, and can be ended", async ({ saver }) => {
    await fill(saver, "a", 40);
    const seen: number[] = [];
    const reader = saver.threads.export({ onProgress: ({ checkpoints }) => seen.push(checkpoints) }).getReader();
    await reader.read();
    expect(seen.at(-1)).toBeLessThan(40);
    await reader.cancel();
    const control = new AbortController();
    const aborted = saver.threads.export({ signal: control.signal }).getReader();
    await aborted.read();
    control.abort(new Error("enough"));
    await expect(aborted.read()).rejects.toThrow("enough");
  });

  it("of a thread that goes on meanwhile has each checkpoint with all that it needs", async ({ saver, open }) => {
    await fill(saver, "a", 30);
    const other = open({ worker: false });
    let n = 30;
    const file = await new Response(
      saver.threads.export().pipeThrough(
        new TransformStream({
          transform: async (part, to) => {
            to.enqueue(part);
            await put(other, at("a", "", n), ++n, { values: { noise: noise(60_000), step: n } });
          },
        }),
      ),
    ).blob();
    const { threads: [copied] } = await saver.threads.import(file, { mode: "new-id" });
    const ids = await listedIds(saver, at(copied!.id));
    expect(ids.length).toBeGreaterThanOrEqual(30);
    for (const id of ids) {
      const config = (thread: string) => ({ configurable: { thread_id: thread, checkpoint_ns: "", checkpoint_id: id } });
      expect(difference(await valuesAt(saver, config(copied!.id)), await valuesAt(saver, config("a")))).toBeUndefined();
    }
    expect((await saver.verify()).problems).toStrictEqual([]);
  });

  it("of a thread that is deleted meanwhile fails", async ({ saver }) => {
    await fill(saver, "a", 40);
    const reader = saver.threads.export().getReader();
    await reader.read();
    await saver.deleteThread("a");
    expect((await errorOf(reader.read())).code).toBe("thread-changed");
  });
});
