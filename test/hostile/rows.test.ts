import { describe, expect, it as test } from "vitest";
import { Codec } from "../../src/codec/index.ts";
import { packCheckpoint, unpackCheckpoint } from "../../src/engine/checkpoint-row.ts";
import { packElements } from "../../src/engine/elements.ts";
import { type Branch, type CheckpointId, type CheckpointKey, type ContentKey, idOf } from "../../src/idb/index.ts";
import { langGraphTypes, snapshots } from "../../src/saver/langgraph-types.ts";
import { at, listedIds, put, tupleAt } from "../support/checkpoints.ts";
import { databaseTest } from "../support/contract.ts";
import { codeOf, errorOf } from "../support/errors.ts";
import { byteArrays, readRows, type Row, writeRow } from "../support/raw-database.ts";

const text = (characters: string): number[] => [0xa0 + characters.length, ...new TextEncoder().encode(characters)];
const marked = (...content: number[]): number[] => [1, 0x81, 0xa0, ...content];
const regexp = [0x92, ...text("(a+)+$"), ...text("i")];

/** Elements that ask MessagePack's reader, or this package's, for more than data. */
const elements: Record<string, number[]> = {
  "a regular expression of MessagePack's": [0, 0xd4, 0x78, 0, ...regexp],
  "an error of MessagePack's": [0, 0xd4, 0x65, 0, 0x92, ...text("Error"), ...text("x")],
  "a set of MessagePack's": [0, 0xd4, 0x73, 0, 0x90],
  "a record, whose reader is compiled": [0, 0xd4, 0x72, 0x40, 0x91, ...text("a"), 1],
  "a reference of MessagePack's": [0, 0xd6, 0x70, 0, 0, 0, 1],
  "strings in a bundle": [0, 0xd6, 0x62, 0, 0, 0, 1, 0xa0, 0xa0],
  "a number of 64 bits": [0, 0xcf, 0, 0, 0, 0, 0, 0, 0, 1],
  "a prototype": [0, 0x81, ...text("__proto__"), 0x81, ...text("polluted"), 1],
  "a key that is no text": [0, 0x81, 0x91, 1, 1],
  "four thousand million items": [0, 0xdd, 0xff, 0xff, 0xff, 0xff],
  "four thousand million keys": [0, 0xdf, 0xff, 0xff, 0xff, 0xff],
  "a text longer than the rest": [0, 0xdb, 0xff, 0xff, 0xff, 0xff, 0x61],
  "bytes longer than the rest": [0, 0xc6, 0x7f, 0xff, 0xff, 0xff, 0x61],
  "a million lists in each other": [0, ...new Array<number>(1_000_000).fill(0x91), 1],
  "two values": [0, 1, 1],
  "no value": [0],
  "a kind that is none": [3, 1],
  "a mark that is none": marked(0x91, 0x63),
  "a mark that is no list": marked(1),
  "a second place without a first": marked(0x92, 3, 1),
  "a bigint that is none": marked(0x92, 6, ...text("0x10")),
  "half a character": marked(0x92, 7, 0xc4, 1, 65),
  "a key without a value": marked(0x92, 0, 0x91, ...text("a")),
  "a regular expression that is none": marked(0x94, 12, ...text("("), 0xa0, 0),
  "a view of a kind that is none": marked(0x93, 15, ...text("constructor"), 0xc4, 1, 65),
  "a view of half a number": marked(0x93, 15, ...text("Float64Array"), 0xc4, 1, 65),
  "a message of a kind that is none": marked(0x93, 16, ...text("message"), 0x92, ...text("constructor"), 0),
  "a message that is no list": marked(0x93, 16, ...text("message"), 1),
};

describe("An element that is", () => {
  test.for(Object.entries(elements))("%s is refused", ([, element]) => {
    const bytes = Uint8Array.from(element);
    for (const companions of [[], [0, 1]]) {
      const all = Uint8Array.from([...companions, ...bytes]);
      const ends = companions.length === 0 ? [all.length] : [2, all.length];
      expect(codeOf(() => new Codec(langGraphTypes, snapshots).decode({ bytes: all, ends }, 0, ends.length, 0))).toBe("damaged");
    }
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("a regular expression that takes for ever is never run here", () => {
    const codec = new Codec([], snapshots);
    const hostile = /^(?:a+)+$/;
    const { bytes, ends, shape } = codec.encode({ [`${"a".repeat(40)}!`]: hostile, text: `${"a".repeat(40)}!` }, "value");
    const back = codec.assemble(shape, codec.decode({ bytes, ends }, 0, ends.length, shape)) as Record<string, unknown>;
    expect(back[`${"a".repeat(40)}!`]).toStrictEqual(hostile);
    codec.encode(back, "value");
  });

  test("an application's class whose type throws is that error, not damage", () => {
    class Money {}
    const type = { name: "money", is: (value: object): value is Money => value instanceof Money, encode: () => 1, decode: () => { throw new RangeError("of the application"); } };
    const codec = new Codec([type], snapshots);
    const { bytes, ends } = codec.encode([new Money()], "value");
    expect(() => codec.decode({ bytes, ends }, 0, 1, 1)).toThrow(RangeError);
  });
});

describe("A row under a checksum that is right, and with", () => {
  const fill = async (saver: Parameters<typeof put>[0], database: string) => {
    const list = Array.from({ length: 3 }, (_, n) => `message ${n} `.repeat(8));
    await put(saver, at("thread"), 1, { values: { list } });
    await put(saver, at("other"), 1, { values: { list } });
    const rows = await readRows(database);
    return { rows, of: (store: string): Row => rows.find((row) => row.store === store && [...byteArrays(row.value)].length > 0)! };
  };

  databaseTest.for([
    ["a stretch of millions", { log: 0, start: 0, length: 16_000_000 }],
    ["a stretch of thousands of millions", { log: 0, start: 0, length: 4_000_000_000 }],
    ["a stretch that begins beyond all", { log: 0, start: Number.MAX_SAFE_INTEGER, length: 3 }],
    ["a stretch below zero", { log: 0, start: -3, length: 3 }],
    ["a branch that is none", { log: Number.NaN, start: 0, length: 3 }],
  ] as const)("%s of elements is damaged, also to whom goes on from it", async ([, piece], { saver, reopen, database }) => {
    const { of } = await fill(saver, database);
    const row = of("checkpoints");
    const [thread, namespace, id] = row.key as CheckpointKey;
    const identity = [thread, namespace, idOf<CheckpointId>(id)] as const;
    const found = unpackCheckpoint(identity, row.value);
    const channels = found.channels.map((channel) => ({ ...channel, ref: { shape: 1, pieces: [{ ...piece, log: piece.log as Branch }] } }));
    await writeRow(database, { ...row, value: packCheckpoint(identity, { ...found, channels }) });
    const cold = await reopen();
    const codes = await Promise.all(["thread", "other"].map((name) => cold.getTuple(at(name)).then(() => "read", ({ code }: { code: string }) => code)));
    expect(codes.toSorted()).toStrictEqual(["damaged", "read"]);
    const bad = codes[0] === "damaged" ? "thread" : "other";
    await put(cold, at(bad, "", 1), 2, { values: { list: ["new"] } }).catch((error: unknown) => expect(error).toMatchObject({ code: "damaged" }));
    expect((await cold.verify()).problems.length).toBeGreaterThan(0);
    await cold.repair();
    expect((await cold.verify()).problems).toStrictEqual([]);
  });

  databaseTest("a position beyond all, or a key of another kind, neither stops a reader nor takes its memory", async ({ saver, reopen, database }) => {
    const { of } = await fill(saver, database);
    const content = of("content");
    const key = [...(content.key as ContentKey).slice(0, 4), Number.MAX_SAFE_INTEGER] as unknown as ContentKey;
    await writeRow(database, { store: "content", key, value: packElements(key, [Uint8Array.of(0, 1)]) });
    for (const odd of [[5], [5, "", 1e9], [5, "", new Date(0)], [7, 7, 7, 7, 7], "text", new Uint8Array(40)] as IDBValidKey[]) {
      for (const store of ["checkpoints", "writes", "blocks", "content", "revisions"]) await writeRow(database, { store, key: odd, value: { lineage: [5, "", 0, 1e15], body: new Uint8Array(9) } });
    }
    const cold = await reopen();
    for (const name of ["thread", "other"]) expect((await tupleAt(cold, at(name))).checkpoint.channel_values["list"]).toHaveLength(3);
    expect((await listedIds(cold, at("thread"))).length).toBe(1);
    const outcomes = await Promise.allSettled(["thread", "other"].map((name) => put(cold, at(name, "", 1), 2, { values: { list: ["a new message that is long enough to be put in a log of its own"] } })));
    expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? "stored" : (outcome.reason as { code: string }).code)).toSorted()).toStrictEqual(["damaged", "stored"]);
    await cold.repair();
    expect((await cold.verify()).problems).toStrictEqual([]);
    expect(await errorOf(cold.deleteThread(""))).toMatchObject({ code: "invalid-id" });
  });
});
