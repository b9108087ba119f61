import { expect, test } from "vitest";
import { requireStorable } from "../src/engine/store-value.ts";
import type { Channel } from "../src/idb/index.ts";
import { at, put, valuesAt } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";
import { readRows } from "./support/raw-database.ts";

const RECORD_BYTES = 16 * 1024 * 1024;

/** Bytes that differ along the way, so that parts in another order are noticed. */
function bytes(length: number, first: number): Uint8Array {
  const made = new Uint8Array(length).fill(first);
  for (let position = 0; position < length; position += 1_000_003) made[position] = (position / 1_000_003) % 251;
  return made;
}

/** As `toStrictEqual` of two long lists of bytes, but in less than minutes. */
function sameBytes(a: unknown, b: Uint8Array): boolean {
  if (!(a instanceof Uint8Array) || a.length !== b.length) return false;
  for (let at = 0; at < b.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

contract("A value that is longer than engines allow a record to be", (it) => {
  it("is stored in several records, and read, copied and removed as one", async ({ saver, reopen, database }) => {
    const contentOf = async () => (await readRows(database)).flatMap(({ store, value }) => (store === "content" ? [value as Uint8Array] : [])).map(({ length }) => length);
    const near = bytes(3_000_000, 1);
    await put(saver, at("near"), 1, { values: { file: near } });
    const overhead = (await contentOf())[0]! - near.length;
    await saver.deleteThread("near");

    const exact = bytes(RECORD_BYTES - overhead, 2);
    const long = bytes(2 * RECORD_BYTES + 12_345, 3);
    const first = await put(saver, at("thread"), 1, { values: { file: exact } });
    expect(await contentOf()).toStrictEqual([RECORD_BYTES, 0]);
    const second = await put(saver, first, 2, { values: { file: long, list: ["a", exact, "b"] } });
    await put(saver, second, 3, { values: { file: exact }, versions: { file: 3, list: 2 } });

    const cold = await reopen();
    const values = await valuesAt(cold, second);
    expect(sameBytes(values["file"], long)).toBe(true);
    const list = values["list"] as unknown[];
    expect([list[0], list[2], list.length]).toStrictEqual(["a", "b", 3]);
    expect(sameBytes(list[1], exact)).toBe(true);
    expect((await cold.verify()).problems).toStrictEqual([]);

    await cold.copyThread("thread", "copy");
    await cold.prune(["thread"], { strategy: "keep_latest" });
    await cold.deleteThread("thread");
    expect(sameBytes((await valuesAt(cold, at("copy")))["file"], exact)).toBe(true);
    expect((await cold.verify()).problems).toStrictEqual([]);
    await cold.deleteThread("copy");
    expect(await contentOf()).toStrictEqual([]);
  }, 120_000);
});

test("An element that no row can say the length of is refused, and so is what has to be in one record", () => {
  const value = { shape: 0, bytes: new Uint8Array(), ends: [10, 256_000_011] };
  expect(() => requireStorable(value, "files" as Channel)).toThrow(expect.objectContaining({ code: "value-too-large", facts: { channel: "files", bytes: 256_000_001, limit: 256_000_000 } }));
  expect(() => requireStorable({ ...value, ends: [10, 256_000_010] }, "files" as Channel)).not.toThrow();
});
