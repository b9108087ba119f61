import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { expect } from "vitest";
import { at, put, tupleAt } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";
import { errorOf } from "./support/errors.ts";
import { readRows } from "./support/raw-database.ts";

class Invoice {
  readonly total = 1;
  toJSON(): unknown {
    return { total: this.total };
  }
}

const refused: Record<string, unknown> = {
  "a function": () => 1,
  "a class": Invoice,
  "a symbol": Symbol("s"),
  "an instance of an application's class": new Invoice(),
  "an object whose prototype is another object": Object.create({ inherited: 1 }),
  "a promise": Promise.resolve(1),
  "a weak map": new WeakMap(),
  "a URL": new URL("https://example.com/"),
  "a generator": (function* () {})(),
};

contract("A value that would not come back as it is", (it) => {
  it.for(Object.entries(refused))("is refused by put, with its path, before anything is stored: %s", async ([, value], { saver, database }) => {
    const first = await put(saver, at("thread"), 1, { values: { a: 1 } });
    const before = await readRows(database);
    const error = await errorOf(put(saver, first, 2, { values: { a: 2, deep: { list: [0, { "odd key": value }] } } }));
    expect(error).toMatchObject({ code: "unsupported-value", path: 'channel_values.deep.list[1]["odd key"]' });
    expect(error.message).toContain('channel_values.deep.list[1]["odd key"]');
    expect(await readRows(database)).toStrictEqual(before);
    expect(await saver.getTuple(at("thread", "", 2))).toBeUndefined();
  });

  it.for(Object.entries(refused))("is refused by putWrites, with its path, before anything is stored: %s", async ([, value], { saver, database }) => {
    const first = await put(saver, at("thread"), 1);
    const before = await readRows(database);
    const error = await errorOf(saver.putWrites(first, [["a", 1], ["b", { fn: [value] }]], "task"));
    expect(error).toMatchObject({ code: "unsupported-value", path: "writes[1].b.fn[0]" });
    expect(await readRows(database)).toStrictEqual(before);
    expect((await tupleAt(saver, first)).pendingWrites).toStrictEqual([]);
  });

  it("is an instance of a subclass of a built-in, or an array with keys of its own", async ({ saver }) => {
    class Sorted extends Map<string, number> {}
    class Day extends Date {}
    const odd = [{ total: 1 }, { "-1": "x" }, { "0.5": "x" }, { "": "x" }].map((extra) => Object.assign([1, 2], extra));
    const sparse: unknown[] = [];
    sparse[2_000_000] = 1;
    const detached = new Uint8Array(8);
    structuredClone(detached, { transfer: [detached.buffer] });
    for (const value of [new Sorted(), new Day(), "abc".match(/b/), ...odd, sparse, detached.buffer, Object.create(Date.prototype) as unknown]) {
      expect(await errorOf(put(saver, at("thread"), 1, { values: { value } }))).toMatchObject({ code: "unsupported-value", path: "channel_values.value" });
    }
  });

  it("is nested too deeply, in whatever way", async ({ saver }) => {
    const nested = (wrap: (inner: unknown) => unknown) => Array.from({ length: 900 }).reduce((inner: unknown) => wrap(inner), 1);
    const ways = [(inner: unknown) => [inner], (inner: unknown) => new Map([[1, inner]]), (inner: unknown) => new Set([inner]), (cause: unknown) => new Error("e", { cause })];
    for (const wrap of ways) {
      const value = nested(wrap);
      const outcome = await put(saver, at("thread"), 1, { values: { value } }).then(() => "stored", (error: unknown) => (error as { code?: string }).code);
      expect(["stored", "unsupported-value"]).toContain(outcome);
      if (outcome === "stored") expect(await saver.getTuple(at("thread"))).toBeDefined();
    }
    expect((await errorOf(put(saver, at("thread"), 2, { values: { value: Array.from({ length: 5000 }).reduce((inner: unknown) => [inner], 1) } }))).code).toBe("unsupported-value");
  });

  it("is behind a getter that throws", async ({ saver }) => {
    const value = {
      get broken() {
        throw new Error("no");
      },
    };
    expect(await errorOf(put(saver, at("thread"), 1, { values: { value } }))).toMatchObject({ code: "unsupported-value", path: "channel_values.value.broken" });
  });

  it("is another object each time it is read", async ({ saver }) => {
    const value = {
      get pair() {
        const made = {};
        return [made, made];
      },
    };
    expect((await errorOf(put(saver, at("thread"), 1, { values: { value } }))).code).toBe("unsupported-value");
  });

  it("is named inside a message", async ({ saver }) => {
    const messages = [new HumanMessage("a"), new AIMessage("b"), new HumanMessage("c"), new HumanMessage({ content: "d", additional_kwargs: { fn: () => 1 } })];
    expect(await errorOf(put(saver, at("thread"), 1, { values: { messages } }))).toMatchObject({
      code: "unsupported-value",
      path: "channel_values.messages[3].additional_kwargs.fn",
    });
  });

  it("is named in metadata, in a map, in a set and as the value of a channel", async ({ saver }) => {
    const symbol = Symbol("s");
    const paths = async (step: Parameters<typeof put>[3]) => Reflect.get(await errorOf(put(saver, at("thread"), 1, step)), "path") as string;
    expect(await paths({ metadata: { extra: { fn: symbol } } })).toMatch(/metadata\.extra\.fn$/);
    expect(await paths({ values: { map: new Map([["key", symbol]]) } })).toMatch(/^channel_values\.map\b.*key/);
    expect(await paths({ values: { set: new Set([symbol]) } })).toMatch(/^channel_values\.set\b/);
    expect(await paths({ values: { only: symbol } })).toBe("channel_values.only");
  });

  it("is refused in a channel that is not new too, or else is not stored at all", async ({ saver }) => {
    const first = await put(saver, at("thread"), 1, { values: { a: 1 }, versions: { a: 1 } });
    const stored = await put(saver, first, 2, { values: { a: 1, live: () => 1 }, versions: { a: 1, live: 1 }, newVersions: {} }).then(
      () => true,
      (error: { code: string }) => error.code,
    );
    if (stored === true) expect((await tupleAt(saver, at("thread", "", 2))).checkpoint.channel_values).toStrictEqual({ a: 1 });
    else expect(stored).toBe("unsupported-value");
  });

  it("refuses one step only: the next is stored", async ({ saver }) => {
    const first = await put(saver, at("thread"), 1, { values: { list: ["a"] } });
    await errorOf(put(saver, first, 2, { values: { list: ["a", () => 1] } }));
    const third = await put(saver, first, 3, { values: { list: ["a", "b"] } });
    expect((await tupleAt(saver, third)).checkpoint.channel_values).toStrictEqual({ list: ["a", "b"] });
  });
});
