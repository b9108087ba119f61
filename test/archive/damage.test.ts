import { expect } from "vitest";
import type { IndexedDBSaver } from "../../src/index.ts";
import { at, put } from "../support/checkpoints.ts";
import { contract, inNode } from "../support/contract.ts";
import { difference } from "../support/difference.ts";
import { errorOf } from "../support/errors.ts";
import { readRows } from "../support/raw-database.ts";

async function fill(saver: IndexedDBSaver, thread: string, steps: number): Promise<void> {
  for (let n = 1; n <= steps; n++) {
    await saver.putWrites(at(thread, "", n), [["messages", `said in step ${n}`.repeat(5)]], `task ${n}`);
    await put(saver, at(thread, "", n === 1 ? undefined : n - 1), n, { values: { messages: Array.from({ length: n }, (_, item) => `said in step ${item + 1}`.repeat(5)) } });
  }
}

const bytesOf = async (saver: IndexedDBSaver): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await new Response(saver.threads.export()).arrayBuffer());

contract("A file that is not whole", (it) => {
  it("is refused, whichever byte is another, and nothing has changed", async ({ saver, open, database }) => {
    await fill(saver, "a", 3);
    await fill(saver, "b", 2);
    const file = await bytesOf(saver);
    await saver.deleteThread("b");
    const other = open();
    const before = await readRows(database);
    const stride = inNode ? 1 : 7;
    for (let place = 0; place < file.length; place += stride) {
      const damaged = file.slice();
      damaged[place] = damaged[place]! ^ (1 << place % 8);
      const { code } = await errorOf(other.threads.import(new Blob([damaged])));
      expect(code, `at byte ${place}`).toBe(place < 10 ? "unsupported-file" : "damaged-file");
    }
    expect(difference(await readRows(database), before)).toBeUndefined();
  }, 120_000);

  it("is refused, wherever it ends or goes on", async ({ saver, database }) => {
    await fill(saver, "a", 3);
    const file = await bytesOf(saver);
    await saver.deleteThread("a");
    const before = await readRows(database);
    for (let length = 0; length < file.length; length += inNode ? 1 : 7) {
      expect((await errorOf(saver.threads.import(new Blob([file.subarray(0, length)])))).code).toBe("damaged-file");
    }
    expect((await errorOf(saver.threads.import(new Blob([file, "x"])))).code).toBe("damaged-file");
    expect((await errorOf(saver.threads.import(new Blob([file, file])))).code).toBe("damaged-file");
    expect(difference(await readRows(database), before)).toBeUndefined();
    await saver.threads.import(new Blob([file]));
    expect(await saver.threads.get("a")).toMatchObject({ checkpoints: 3 });
  }, 120_000);

  it("is refused at its end, when many of its threads were stored already", async ({ saver, database }) => {
    for (let n = 1; n <= 3; n++) {
      let parent = at(`thread ${n}`);
      for (let step = 1; step <= 8; step++) parent = await put(saver, parent, step, { values: { noise: crypto.getRandomValues(new Uint8Array(60_000)) } });
    }
    const file = await bytesOf(saver);
    for (let n = 1; n <= 3; n++) await saver.deleteThread(`thread ${n}`);
    const before = await readRows(database);
    const seen: number[] = [];
    const error = await errorOf(saver.threads.import(new Blob([file.subarray(0, -20)]), { onProgress: ({ threads }) => seen.push(threads) }));
    expect(error).toMatchObject({ code: "damaged-file" });
    expect(seen.at(-1)).toBe(3);
    expect(difference(await readRows(database), before)).toBeUndefined();
    expect((await saver.verify()).notes).toStrictEqual([]);
  });

  it("is refused, if it is something else or of a later format", async ({ saver }) => {
    await fill(saver, "a", 1);
    const file = await bytesOf(saver);
    file[8] = 2;
    const later = await errorOf(saver.threads.import(new Blob([file])));
    expect(later).toMatchObject({ code: "unsupported-file", message: expect.stringContaining("its format is 2") as unknown });
    for (const foreign of ["{}", "\u001f\u008b", "PK", "a text that goes on for a while"]) {
      expect((await errorOf(saver.threads.import(new Blob([foreign])))).code).toBe("unsupported-file");
    }
  });
});
