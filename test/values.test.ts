import { DeltaSnapshot, JsonPlusSerializer, isDeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { Command, Overwrite, Send, isCommand } from "@langchain/langgraph";
import { HumanMessage } from "@langchain/core/messages";
import { expect } from "vitest";
import { at, put, roundTrip, tupleAt, valuesAt } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";
import { difference } from "./support/difference.ts";
import { errorOf } from "./support/errors.ts";
import { bytesOf, readRows } from "./support/raw-database.ts";

const nullPrototype = (entries: Record<string, unknown>): unknown => Object.assign(Object.create(null), entries);
const ownProto = (value: unknown): unknown => Object.defineProperty({ a: 1 }, "__proto__", { value, enumerable: true, configurable: true, writable: true });
const bytes = Uint8Array.from({ length: 300 }, (_, n) => n % 256);

const kept: Record<string, unknown> = {
  "null": null,
  "undefined in an object": { a: undefined, b: 1 },
  "undefined in a list": [undefined, 1, undefined],
  "true and false": [true, false],
  "integers": [0, 1, -1, 127, 128, -129, 65_536, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 53, 2 ** 64],
  "fractions": [0.1, -0.1, 1 / 3, 1e-320, Number.MIN_VALUE, Number.MAX_VALUE, 1.5, 16_777_217.5],
  "what is no number": NaN,
  "both infinities": [Infinity, -Infinity],
  "negative zero": [-0, 0, { z: -0 }],
  "big integers": [0n, 1n, -1n, 2n ** 63n, -(2n ** 63n) - 1n, 2n ** 64n - 1n, 2n ** 200n, -(2n ** 200n)],
  "strings": ["", "a", "é", "\u{1f600}", "\0", "\ufeff", "\u2028", "x".repeat(70_000), "é".repeat(40_000)],
  "lone surrogates": ["\ud800", "a\udc00b", "\udc00\ud800", "\u{1f600}\ud83d", { "\ud800": "\udfff" }],
  "dates": [new Date(0), new Date(-1), new Date(1_767_225_600_123), new Date(8_640_000_000_000_000), new Date(NaN)],
  "maps": [new Map(), new Map<unknown, unknown>([["a", 1], [1, "a"], [null, undefined], [NaN, -0], [{ k: 1 }, new Map([["b", 2]])]])],
  "maps whose keys are objects": new Map<unknown, unknown>([[{ a: 1 }, 1], [nullPrototype({}), 2], [[1], 3], [new Map(), 4], [Object.assign(Object.create(null), { toString: 1 }), 5]]),
  "sets": [new Set(), new Set<unknown>([1, "1", null, undefined, NaN, { a: 1 }, new Set([2])])],
  "regular expressions": [/a/, /\/[^\n"]+/giu, new RegExp("")],
  "byte arrays": [new Uint8Array(), new Uint8Array([0, 1, 255]), { nested: { deep: [bytes] } }],
  "other typed arrays": [
    new Int8Array([-128, 127]), new Uint8ClampedArray([0, 255]), new Int16Array([-32_768, 32_767]), new Uint16Array([65_535]),
    new Int32Array([-(2 ** 31)]), new Uint32Array([2 ** 32 - 1]), new Float32Array([0.5, NaN, -0]), new Float64Array([0.1, Infinity, -0]),
    new BigInt64Array([-(2n ** 63n)]), new BigUint64Array([2n ** 64n - 1n]), new Float64Array(),
  ],
  "a part of a buffer": new Uint16Array(new Uint16Array([1, 2, 3, 4]).buffer, 2, 2),
  "buffers and views": [new ArrayBuffer(0), new Uint8Array([1, 2, 3]).buffer, new DataView(new Uint8Array([9, 8, 7]).buffer)],
  "objects": [{}, { a: {}, b: [] }, { "": 1, "a.b": 2, "0": 3, length: 4, then: 5, toJSON: "6", constructor: 7, hasOwnProperty: 8 }],
  "an own key called __proto__": [ownProto({ polluted: true }), ownProto(null), ownProto([1])],
  "objects without a prototype": [nullPrototype({}), nullPrototype({ a: nullPrototype({ b: 1 }) })],
  "lists in lists": [[], [[]], [[[]], [[], [[1]]]]],
  "holes in a list": [Object.assign([], { 1: "a", 3: "b" }), Object.assign([], { length: 3 }), { list: Object.assign([], { 2: undefined }) }],
  "a deep value": Array.from({ length: 200 }).reduce((inner: unknown, _, n) => (n % 2 === 0 ? { inner } : [inner]), "core"),
  "a wide object": Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`key ${n}`, n])),
  "a date in a list in a map": new Map([["when", [new Date(5)]]]),
};

contract("A value comes back as it was", (it) => {
  it.for(Object.entries(kept))("%s", async ([, value], { saver, reopen }) => {
    const config = await put(saver, at("thread"), 1, { values: { one: value, list: [value, value] }, metadata: { value } });
    await saver.putWrites(config, [["channel", value]], "task");
    for (const reader of [saver, undefined]) {
      const { checkpoint, metadata, pendingWrites } = await tupleAt(reader ?? (await reopen()), config);
      const { one, list } = checkpoint.channel_values as { one: unknown; list: unknown[] };
      expect(list).toHaveLength(2);
      for (const back of [one, ...list, Reflect.get(metadata ?? {}, "value"), pendingWrites?.[0]?.[2]]) expect(difference(back, value)).toBeUndefined();
    }
  });

  it("a list of many holes, read twice", async ({ saver }) => {
    await put(saver, at("thread"), 1, { values: { list: new Array(300) } });
    for (const _ of [1, 2]) expect((await valuesAt(saver, at("thread")))["list"]).toStrictEqual(new Array(300));
  });

  it("holes stay holes, and undefined stays undefined", async ({ saver }) => {
    const list = Object.assign([], { 1: undefined, length: 3 });
    for (const back of Object.values(await roundTrip(saver, { list })) as { list: unknown[] }[]) {
      expect([0 in back.list, 1 in back.list, 2 in back.list, back.list.length]).toStrictEqual([false, true, false, 3]);
    }
  });

  it("negative zero stays negative", async ({ saver }) => {
    for (const back of Object.values(await roundTrip(saver, -0))) expect(Object.is(back, -0)).toBe(true);
  });

  it("an own key called __proto__ changes no prototype", async ({ saver }) => {
    for (const back of Object.values(await roundTrip(saver, JSON.parse('{"__proto__": {"polluted": true}, "a": {"__proto__": 1}}')))) {
      expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
      expect(Object.keys(back as object)).toStrictEqual(["__proto__", "a"]);
    }
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("the order of keys is kept", async ({ saver }) => {
    const keys = ["z", "a", "m", "__proto__", "b"];
    const value = Object.fromEntries(keys.map((key) => [key, 1]));
    for (const back of Object.values(await roundTrip(saver, value))) expect(Object.keys(back as object)).toStrictEqual(keys);
  });

  it("cycles are kept", async ({ saver }) => {
    const object: Record<string, unknown> = { name: "o" };
    object["self"] = object;
    const list: unknown[] = [1];
    list.push(list);
    const map = new Map<string, unknown>();
    map.set("self", map);
    const set = new Set<unknown>();
    set.add(set);
    for (const back of Object.values(await roundTrip(saver, { object, list, map, set }))) {
      const { object: o, list: l, map: m, set: s } = back as { object: typeof object; list: typeof list; map: typeof map; set: typeof set };
      expect([o["self"] === o, l[1] === l, m.get("self") === m, s.has(s)]).toStrictEqual([true, true, true, true]);
      expect([o["name"], l.length, l[0]]).toStrictEqual(["o", 2, 1]);
    }
  });

  it("a channel's own list may hold itself", async ({ saver }) => {
    const list: unknown[] = ["a"];
    list.push(list, { list });
    for (const back of Object.values(await roundTrip(saver, list)) as unknown[][]) {
      expect(back[0]).toBe("a");
      expect(back[1]).toBe(back);
      expect((back[2] as { list: unknown }).list).toBe(back);
    }
  });

  it("one object in two places stays one object", async ({ saver }) => {
    const shared = { n: 1 };
    const sharedBytes = new Uint8Array([1, 2]);
    for (const back of Object.values(await roundTrip(saver, { a: shared, b: [shared], c: sharedBytes, d: sharedBytes }))) {
      const { a, b, c, d } = back as { a: object; b: object[]; c: Uint8Array; d: Uint8Array };
      expect(b[0]).toBe(a);
      expect(d).toBe(c);
    }
  });

  it("nested byte arrays take about a byte per byte", async ({ saver, database }) => {
    const size = 200_000;
    const noise = Uint8Array.from({ length: size }, (_, n) => (n * 2_654_435_761) >>> 13);
    const first = await put(saver, at("thread"), 1, { values: { title: "t" } });
    const before = bytesOf(await readRows(database));
    const second = await put(saver, first, 2, { values: { file: { nested: [{ noise }] } } });
    const between = bytesOf(await readRows(database));
    await saver.putWrites(second, [["file", [{ noise }]]], "task");
    const after = bytesOf(await readRows(database));

    expect(between - before).toBeLessThan(size * 1.02);
    expect(after - between).toBeLessThan(size * 1.02);
    const { file } = await valuesAt(saver, second) as { file: { nested: [{ noise: Uint8Array }] } };
    expect(difference(file.nested[0].noise, noise)).toBeUndefined();
  });

  it("a value of several megabytes", async ({ saver, reopen }) => {
    const text = "é".repeat(1_500_000);
    const bytes = new Uint8Array(3_000_000).fill(7);
    const list = Array.from({ length: 20_000 }, (_, n) => ({ n }));
    const config = await put(saver, at("thread"), 1, { values: { large: { text, bytes, list }, list } });
    const values = await valuesAt(await reopen(), config);
    expect(difference(values["large"], { text, bytes, list })).toBeUndefined();
    expect(difference(values["list"], list)).toBeUndefined();
  });
});

class NotFound extends Error {
  override readonly name = "NotFound";
  readonly status = 404;
  readonly details = { url: "/x", tries: [1, 2] };
}

contract("Errors", (it) => {
  it.for([Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError])("come back as their class: %o", async (Class, { saver }) => {
    const original = new Class("it broke", { cause: new Class("inner") });
    for (const back of Object.values(await roundTrip(saver, { original })) as { original: Error }[]) {
      expect(back.original).toBeInstanceOf(Class);
      expect(Object.getPrototypeOf(back.original)).toBe(Class.prototype);
      expect([back.original.message, back.original.name]).toStrictEqual(["it broke", Class.name]);
      expect(back.original.cause).toBeInstanceOf(Class);
      expect((back.original.cause as Error).message).toBe("inner");
    }
  });

  it("of an application's class keep name, message, cause and own fields", async ({ saver }) => {
    const original = new NotFound("no such page", { cause: { code: "ENOENT" } });
    for (const back of Object.values(await roundTrip(saver, original)) as NotFound[]) {
      expect(back).toBeInstanceOf(Error);
      expect([back.name, back.message, back.cause, back.status, back.details]).toStrictEqual(["NotFound", "no such page", { code: "ENOENT" }, 404, { url: "/x", tries: [1, 2] }]);
    }
  });

  it("that gather others keep them", async ({ saver }) => {
    const original = new AggregateError([new TypeError("a"), "b"], "several");
    for (const back of Object.values(await roundTrip(saver, original)) as AggregateError[]) {
      expect(back).toBeInstanceOf(AggregateError);
      expect(back.message).toBe("several");
      expect(back.errors[0]).toBeInstanceOf(TypeError);
      expect(back.errors[1]).toBe("b");
    }
  });

  it("without a cause have none, and one without a message has an empty one", async ({ saver }) => {
    for (const back of Object.values(await roundTrip(saver, new Error())) as Error[]) {
      expect(Object.hasOwn(back, "cause")).toBe(false);
      expect(back.message).toBe("");
    }
  });
});

contract("LangGraph's own values", (it) => {
  it("a snapshot comes back as one, wherever it sits", async ({ saver }) => {
    const snapshot = new DeltaSnapshot([new HumanMessage({ id: "m", content: "hi" }), new DeltaSnapshot({ inner: true })]);
    for (const back of Object.values(await roundTrip(saver, { list: [snapshot], map: new Map([["s", snapshot]]) }))) {
      const { list, map } = back as { list: unknown[]; map: Map<string, unknown> };
      for (const found of [list[0], map.get("s")]) {
        expect(found).toBeInstanceOf(DeltaSnapshot);
        expect(isDeltaSnapshot(found) && (found.value as unknown[])[0]).toBeInstanceOf(HumanMessage);
        expect(isDeltaSnapshot(found) && (found.value as unknown[])[1]).toStrictEqual(new DeltaSnapshot({ inner: true }));
      }
    }
  });

  it.for([[], ["a"], [["a"], ["b"]], { a: 1 }, "text", 0, null, new Map([["k", 1]])].map((value) => ({ value })))("a snapshot of $value", async ({ value }, { saver }) => {
    expect(await roundTrip(saver, new DeltaSnapshot(value))).toStrictEqual({ channel: new DeltaSnapshot(value), write: new DeltaSnapshot(value) });
  });

  it("a Send has its node, its arguments with their classes, and its timeout", async ({ saver }) => {
    const send = new Send("tools", { message: new HumanMessage("hi"), n: 1n }, { timeout: { runTimeout: 500 } });
    for (const back of Object.values(await roundTrip(saver, [send, "tools"])) as [Send, string][]) {
      expect([back[0].lg_name, back[0].node, back[0].timeout]).toStrictEqual(["Send", "tools", send.timeout]);
      expect(back[0].args.message).toBeInstanceOf(HumanMessage);
      expect(back[0].args.n).toBe(1n);
      expect(Object.hasOwn(back[0], "toJSON")).toBe(false);
      expect(JSON.parse(JSON.stringify({ ...back[0], args: 0 }))).toStrictEqual(JSON.parse(JSON.stringify({ ...send, args: 0 })));
    }
  });

  it("a Command is one for LangGraph too", async ({ saver }) => {
    const command = new Command({ graph: Command.PARENT, update: { messages: [new HumanMessage("hi")] }, resume: { ok: true }, goto: ["a", new Send("b", { n: 1 })] });
    for (const back of Object.values(await roundTrip(saver, { command })) as { command: Command }[]) {
      expect(isCommand(back.command)).toBe(true);
      expect([back.command.graph, back.command.resume]).toStrictEqual([Command.PARENT, { ok: true }]);
      expect((back.command.update as { messages: unknown[] }).messages[0]).toBeInstanceOf(HumanMessage);
      const [first, second] = back.command.goto as [string, Send];
      expect([first, second.lg_name, second.node, second.args]).toStrictEqual(["a", "Send", "b", { n: 1 }]);
    }
  });

  it("an Overwrite is one for LangGraph too", async ({ saver }) => {
    for (const back of Object.values(await roundTrip(saver, new Overwrite([new HumanMessage("only")])))) {
      expect(Overwrite.isInstance(back)).toBe(true);
      expect((back as { __overwrite__: unknown[] }).__overwrite__[0]).toBeInstanceOf(HumanMessage);
    }
  });
});

contract("A serializer of the application's", (it) => {
  it("gets the values, and its bytes are what is stored and given back", async ({ open }) => {
    class Reversing extends JsonPlusSerializer {
      seen: string[] = [];
      override async dumpsTyped(value: unknown): Promise<[string, Uint8Array]> {
        const [type, dumped] = await super.dumpsTyped(value);
        this.seen.push(new TextDecoder().decode(dumped));
        return [`reversed ${type}`, dumped.toReversed()];
      }
      override async loadsTyped(type: string, dumped: Uint8Array | string): Promise<unknown> {
        if (typeof dumped === "string" || !type.startsWith("reversed ")) throw new Error(`not mine: ${type}`);
        return super.loadsTyped(type.slice("reversed ".length), dumped.toReversed());
      }
    }
    const serde = new Reversing();
    const saver = open({ serde });
    const messages = [new HumanMessage({ id: "1", content: "one" }), new HumanMessage({ id: "2", content: "two" })];
    const first = await put(saver, at("thread"), 1, { values: { messages, count: 7 } });
    await saver.putWrites(first, [["messages", messages], ["count", 8]], "task");
    const second = await put(saver, first, 2, { values: { messages, count: 7 }, versions: { messages: 1, count: 1 }, newVersions: {} });

    for (const reader of [saver, open({ serde: new Reversing() })]) {
      const tuple = await tupleAt(reader, first);
      expect(tuple.checkpoint.channel_values["count"]).toBe(7);
      expect((tuple.checkpoint.channel_values["messages"] as HumanMessage[]).map(({ content }) => content)).toStrictEqual(["one", "two"]);
      expect((tuple.checkpoint.channel_values["messages"] as HumanMessage[])[1]).toBeInstanceOf(HumanMessage);
      expect(tuple.pendingWrites?.[1]).toStrictEqual(["task", "count", 8]);
      expect((await tupleAt(reader, second)).checkpoint.channel_values["count"]).toBe(7);
    }
    expect(serde.seen.some((json) => json.includes("two"))).toBe(true);
  });

  it("and the package's own encoding do not read each other's values, and say so", async ({ open }) => {
    const value = { values: { list: ["a", "b"], one: { a: 1 } } };
    const [withSerde, without] = [open({ serde: new JsonPlusSerializer() }), open()];
    await put(withSerde, at("with"), 1, value);
    await put(without, at("without"), 1, value);
    expect(await errorOf(without.getTuple(at("with")))).toMatchObject({ code: "serializer-mismatch", written: "with serde" });
    expect(await errorOf(withSerde.getTuple(at("without")))).toMatchObject({ code: "serializer-mismatch", written: "without serde" });
  });

  it("that takes its time, or rejects, does not change the order of calls", async ({ open }) => {
    class Slow extends JsonPlusSerializer {
      override async dumpsTyped(value: unknown): Promise<[string, Uint8Array]> {
        if (value === "slow") await new Promise((resolve) => setTimeout(resolve, 50));
        if (value === "bad") throw new Error("bad");
        return super.dumpsTyped(value);
      }
    }
    const saver = open({ serde: new Slow() });
    const head = await put(saver, at("thread"), 1);
    const write = (value: string, task: string) => saver.putWrites(head, [["a", value]], task);
    await Promise.allSettled([write("slow", "task"), write("bad", "other"), write("fast", "task")]);
    expect((await saver.getTuple(head))?.pendingWrites).toStrictEqual([["task", "a", "slow"]]);
    await Promise.allSettled([write("slow", "third"), write("bad", "fourth"), saver.deleteThread("thread")]);
    await put(saver, at("thread"), 1);
    expect((await saver.getTuple(head))?.pendingWrites).toStrictEqual([]);
  });

  it("that rejects makes the put reject with its error, and nothing is stored", async ({ open }) => {
    class Refusing extends JsonPlusSerializer {
      override async dumpsTyped(value: unknown): Promise<[string, Uint8Array]> {
        if (value === "refused" || (Array.isArray(value) && value.includes("refused"))) throw new Error("not this one");
        return super.dumpsTyped(value);
      }
    }
    const saver = open({ serde: new Refusing() });
    await put(saver, at("thread"), 1, { values: { a: "fine" } });
    await expect(put(saver, at("thread", "", 1), 2, { values: { a: "fine", b: "refused" } })).rejects.toThrow("not this one");
    await expect(saver.putWrites(at("thread", "", 1), [["a", "fine"], ["b", "refused"]], "task")).rejects.toThrow("not this one");
    expect(await saver.getTuple(at("thread", "", 2))).toBeUndefined();
    expect((await tupleAt(saver, at("thread", "", 1))).pendingWrites).toStrictEqual([]);
  });
});
