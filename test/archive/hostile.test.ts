import { describe, expect, it } from "vitest";
import { type ArchiveRecord, ArchiveWriter, readArchive } from "../../src/archive/index.ts";
import { BlockWriter } from "../../src/archive/blocks.ts";
import { crc32 } from "../../src/archive/crc32.ts";
import { IndexedDBSaver } from "../../src/index.ts";
import { databaseTest } from "../support/contract.ts";
import { errorOf } from "../support/errors.ts";

const thread: ArchiveRecord = { kind: "thread", id: "t", created: 1, updated: 2 };
const namespace: ArchiveRecord = { kind: "namespace", name: "" };
const head = new Uint8Array([0, 0x80]);

async function fileOf(records: readonly ArchiveRecord[]): Promise<Blob> {
  const writer = new ArchiveWriter(0);
  return new Blob([await writer.add(records), await writer.end()]);
}

/** A file whose blocks have right checksums, whatever is in them. */
async function blocksOf(...payloads: readonly (readonly number[])[]): Promise<Blob> {
  const writer = new BlockWriter();
  const parts = [];
  for (const payload of [...payloads, []]) parts.push(await writer.block(Uint8Array.from(payload)));
  return new Blob(parts);
}

/** A file with one block that says what it likes of its sizes. */
function framed(packed: Uint8Array<ArrayBuffer>, sizes: readonly [packed: number, unpacked: number]): Blob {
  const bytes = new Uint8Array(18 + packed.length);
  bytes.set([0x89, 0x4c, 0x47, 0x43, 0x0d, 0x0a, 0x1a, 0x0a, 1]);
  const view = new DataView(bytes.buffer);
  view.setUint32(10, sizes[0], true);
  view.setUint32(14, sizes[1], true);
  bytes.set(packed, 18);
  const checksum = new Uint8Array(4);
  new DataView(checksum.buffer).setUint32(0, crc32(bytes), true);
  return new Blob([bytes, checksum]);
}

async function readAll(file: Blob): Promise<ArchiveRecord[]> {
  const records: ArchiveRecord[] = [];
  for await (const record of readArchive(file)) records.push(record);
  return records;
}

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
}

const digits = (value: number): number[] => (value < 128 ? [value] : [(value % 128) + 128, ...digits(Math.floor(value / 128))]);

describe("A file that was made to do harm is refused", () => {
  it("when it says that a block is larger than any can be", async () => {
    for (const sizes of [[0xffffffff, 1], [1, 0xffffffff]] as const) expect((await errorOf(readAll(framed(new Uint8Array(8), sizes)))).code).toBe("damaged-file");
  });

  it("when a block unpacks to more than it says, before all of it is unpacked", async () => {
    const packed = await deflated(new Uint8Array(64 * 1024 * 1024));
    const error = await errorOf(readAll(framed(packed, [packed.length, 1000])));
    expect(error.message).toContain("unpacks to more than it says");
  });

  it("when a block does not unpack", async () => {
    expect((await errorOf(readAll(framed(Uint8Array.of(0xff, 0xff, 0xff), [3, 1000])))).code).toBe("damaged-file");
  });

  it.for<[string, number[]]>([
    ["a kind that there is not", [9]],
    ["a length beyond the end", [0, 0, 2, ...digits(2 ** 40)]],
    ["a number without an end", [0, ...Array.from({ length: 20 }, () => 255)]],
    ["a list of more items than bytes", [0, 0, 1, 1, 116, 0, 0, 0, 2, 0, 3, 1, 99, ...digits(2 ** 50)]],
    ["a text that is no UTF-8", [0, 0, 1, 2, 0xc3, 0x28, 0, 0, 0]],
    ["half of a surrogate pair", [0, 0, 1, 3, 0xed, 0xa0, 0x80, 0, 0, 0]],
    ["an empty id", [0, 0, 1, 0, 0, 0, 0]],
    ["no first record", [1, 1, 116, 0, 0, 0]],
    ["a checkpoint of no namespace", [0, 0, 1, 1, 116, 0, 0, 0, 4, 1, 99, 0, 0, 0]],
    ["an end in the middle of a record", [0, 0, 1, 1]],
    ["no last record", [0, 0, 1, 1, 116, 0, 0, 0]],
  ])("when it has %s", async ([, payload]) => {
    expect((await errorOf(readAll(await blocksOf(payload)))).code).toBe("damaged-file");
  });

  it.for<[string, readonly ArchiveRecord[]]>([
    ["a thread twice", [thread, thread]],
    ["a namespace twice", [thread, namespace, namespace]],
    ["elements that have not come", [thread, namespace, { kind: "checkpoint", id: "c", head, channels: [{ name: "a", value: { shape: 1, pieces: [0, 1] } }] }]],
    [
      "elements of another namespace",
      [thread, namespace, { kind: "elements", channel: "a", elements: [head] }, { kind: "namespace", name: "n" }, { kind: "writes", checkpoint: "c", task: "t", writes: [{ index: 0, channel: "a", path: "", value: { shape: 1, pieces: [0, 1] } }] }],
    ],
    ["a past of a checkpoint that has none", [thread, namespace, { kind: "checkpoint", id: "c", head, channels: [] }, { kind: "past", checkpoint: "c", seeds: [], steps: [] }]],
    ["a past of another checkpoint", [thread, namespace, { kind: "checkpoint", id: "c", hasPast: true, head, channels: [] }, { kind: "past", checkpoint: "d", seeds: [], steps: [] }]],
    ["a past of another namespace", [thread, namespace, { kind: "checkpoint", id: "c", hasPast: true, head, channels: [] }, { kind: "namespace", name: "n" }, { kind: "past", checkpoint: "c", seeds: [], steps: [] }]],
    [
      "a past of elements that have not come",
      [thread, namespace, { kind: "checkpoint", id: "c", hasPast: true, head, channels: [] }, { kind: "past", checkpoint: "c", seeds: [{ channel: "a", value: { shape: 1, pieces: [0, 1] } }], steps: [] }],
    ],
    ["a channel twice", [thread, namespace, { kind: "checkpoint", id: "c", head, channels: [{ name: "a" }, { name: "a" }] }]],
  ])("when it has %s", async ([, records]) => {
    expect((await errorOf(readAll(await fileOf(records)))).code).toBe("damaged-file");
  });
});

describe("Names in a file", () => {
  databaseTest("are only names, whatever they are", async ({ saver }) => {
    const before = Object.getOwnPropertyNames(Object.prototype).length;
    const file = await fileOf(
      ["__proto__", "constructor", "toString"].flatMap((name): ArchiveRecord[] => [
        { ...thread, id: name, title: name },
        { kind: "namespace", name },
        { kind: "elements", channel: name, elements: [head] },
        { kind: "checkpoint", id: name, parent: name, head, channels: [{ name, version: name, value: { shape: 1, pieces: [0, 1] } }] },
        { kind: "checkpoint", id: `${name} pruned`, parent: "gone", hasPast: true, head, channels: [{ name, version: name }] },
        {
          kind: "past",
          checkpoint: `${name} pruned`,
          seeds: [{ channel: name, value: { shape: 1, pieces: [0, 1] } }],
          steps: [[{ task: name, writes: [{ index: 0, channel: name, path: name, value: { shape: 0, bytes: head, ends: [2] } }] }]],
        },
        { kind: "writes", checkpoint: name, task: name, writes: [{ index: 0, channel: name, path: name, value: { shape: 0, bytes: head, ends: [2] } }] },
      ]),
    );
    expect((await saver.threads.import(file)).threads).toHaveLength(3);
    expect((await saver.verify()).problems).toStrictEqual([]);
    expect((await saver.threads.list()).map(({ title }) => String(title)).toSorted()).toStrictEqual(["__proto__", "constructor", "toString"]);
    expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(before);
    expect(saver).toBeInstanceOf(IndexedDBSaver);
  });
});

it("A file is read whatever the sizes of its parts", async () => {
  const elements = Array.from({ length: 40 }, (_, n) => crypto.getRandomValues(new Uint8Array(n * 30)));
  const records: ArchiveRecord[] = [thread, namespace, ...elements.map((element): ArchiveRecord => ({ kind: "elements", channel: "c", elements: [element] }))];
  const bytes = new Uint8Array(await (await fileOf(records)).arrayBuffer());
  for (const size of [1, 7, 1000, bytes.length]) {
    const parts = async function* (): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    const found: ArchiveRecord[] = [];
    for await (const record of readArchive(parts())) found.push(record);
    expect(found.length).toBe(records.length + 2);
    expect(found.flatMap((record) => (record.kind === "elements" ? [...record.elements] : []))).toStrictEqual(elements);
  }
});
