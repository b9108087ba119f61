import { Packr } from "msgpackr";
import type { Branch, Channel, CheckpointId, CheckpointKey, CheckpointRecord, LastStored, Lineage, Namespace, Sealed, ThreadId, ThreadKey, ThreadRecord, WritesKey } from "../idb/index.ts";
import { DamagedError } from "../errors/index.ts";
import { hashText } from "./hash.ts";
import { seal, unseal } from "./seal.ts";
import type { EncodedValue, Version } from "./types.ts";

/** A stretch of elements in one of the logs of a channel. */
export interface Piece {
  readonly log: Branch;
  readonly start: number;
  readonly length: number;
}

/** How a row holds a value: small ones as they are, others as the places of their elements. */
export type Ref = EncodedValue | { readonly shape: number; readonly pieces: readonly Piece[] };

export interface ThreadRow {
  /** What the thread is called in keys. Another one of the same id, after this was deleted, is called otherwise. */
  readonly key: ThreadKey;
  /** One more with every transaction that writes to the thread: what was read at this revision still holds. */
  revision: number;
  readonly created: number;
  checkpoints: number;
  /** How many branches were begun: the number of the next one. */
  branches: number;
  /** Of the rows written so far. */
  bytes: number;
}

export interface ChannelRow {
  readonly name: Channel;
  readonly version?: Version;
  readonly ref?: Ref;
}

export interface CheckpointRow {
  readonly parent?: CheckpointId;
  readonly branch: Branch;
  readonly depth: number;
  readonly head: Uint8Array<ArrayBuffer>;
  readonly channels: readonly ChannelRow[];
}

export interface WriteRow {
  readonly index: number;
  readonly channel: Channel;
  /** Of the task that wrote it. */
  readonly path: string;
  readonly ref: Ref;
}

const packr = new Packr({ useRecords: false, variableMapSize: true });

export function packThread(thread: ThreadId, { key, revision, created, checkpoints, branches, bytes }: ThreadRow): ThreadRecord {
  return { updated: Date.now(), key, check: keyCheck(thread, key), body: seal([thread], packr.pack([key, revision, created, checkpoints, branches, bytes])) };
}

/** What a thread is called in keys: known even if the rest of its row is damaged. */
export function threadKeyOf(thread: ThreadId, record: unknown): ThreadKey {
  const { key, check } = (record ?? {}) as Partial<ThreadRecord>;
  if (typeof key === "number" && check === keyCheck(thread, key)) return key;
  throw new DamagedError({ store: "threads", key: JSON.stringify(thread) });
}

function keyCheck(thread: ThreadId, key: ThreadKey): number {
  return hashText(String(key), hashText(thread));
}

export function unpackThread(thread: ThreadId, record: ThreadRecord): ThreadRow {
  const [key, revision, created, checkpoints, branches, bytes] = packr.unpack(unseal("threads", [thread], record.body)) as [
    ThreadKey,
    ...[number, number, number, number, number],
  ];
  return { key, revision, created, checkpoints, branches, bytes };
}

type PackedRef = null | [shape: number, content: Uint8Array<ArrayBuffer> | number[], ends?: number[]];

function packRef(ref: Ref | undefined): PackedRef {
  if (ref === undefined) return null;
  if ("bytes" in ref) return ref.ends.length === 1 ? [ref.shape, ref.bytes] : [ref.shape, ref.bytes, [...ref.ends]];
  return [ref.shape, ref.pieces.flatMap(({ log, start, length }) => [log, start, length])];
}

function unpackRef(packed: PackedRef): Ref | undefined {
  if (packed === null) return undefined;
  const [shape, content, ends] = packed;
  if (content instanceof Uint8Array) return { shape, bytes: content, ends: ends ?? [content.length] };
  const pieces: Piece[] = [];
  for (let at = 0; at < content.length; at += 3) {
    pieces.push({ log: content[at] as Branch, start: content[at + 1]!, length: content[at + 2]! });
  }
  return { shape, pieces };
}

/** @param before the checkpoint before it on its branch, if there is one */
export function packCheckpoint(key: CheckpointKey, row: CheckpointRow, before: CheckpointRow | undefined): CheckpointRecord {
  const [thread, namespace] = key;
  const channels = row.channels.flatMap(({ name, version, ref }) => [name, version ?? null, packRef(ref)]);
  const lineage: Lineage = [thread, namespace, row.branch, row.depth];
  const stored = (before?.channels ?? [])
    .filter(({ name, ref }) => ref !== undefined && refOf(row, name) === undefined)
    .map(({ name }): LastStored => [thread, namespace, name, row.branch, row.depth - 1]);
  const body = packr.pack([packId(row.parent), row.head, channels]);
  return { lineage, stored, body: seal([...key, ...lineage, ...stored.flat()], body) };
}

export function refOf(row: CheckpointRow, channel: Channel): Ref | undefined {
  return row.channels.find(({ name }) => name === channel)?.ref;
}

/** Ids are mostly UUIDs, which are shorter as bytes. */
function packId(id: CheckpointId | undefined): string | Uint8Array | null {
  if (id === undefined || !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) return id ?? null;
  return Uint8Array.from(id.replaceAll("-", "").match(/../g)!, (byte) => Number.parseInt(byte, 16));
}

function unpackId(packed: string | Uint8Array | null): CheckpointId | undefined {
  if (packed === null) return undefined;
  if (typeof packed === "string") return packed as CheckpointId;
  const hex = Array.from(packed, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-") as CheckpointId;
}

export function unpackCheckpoint(key: CheckpointKey, record: unknown): CheckpointRow {
  const { lineage, stored, body } = (record ?? {}) as Partial<CheckpointRecord>;
  if (!Array.isArray(lineage) || !Array.isArray(stored)) throw new DamagedError({ store: "checkpoints", key: JSON.stringify(key) });
  const [, , branch, depth] = lineage;
  const [packedParent, head, flat] = packr.unpack(unseal("checkpoints", [...key, ...lineage, ...(stored as LastStored[]).flat()], body)) as [
    string | Uint8Array | null,
    Uint8Array<ArrayBuffer>,
    (Channel | Version | PackedRef)[],
  ];
  const channels: ChannelRow[] = [];
  for (let at = 0; at < flat.length; at += 3) {
    const [name, version, packed] = flat.slice(at, at + 3) as [Channel, Version | null, PackedRef];
    const ref = unpackRef(packed);
    channels.push({ name, ...(version === null ? {} : { version }), ...(ref === undefined ? {} : { ref }) });
  }
  const parent = unpackId(packedParent);
  return { ...(parent === undefined ? {} : { parent }), branch, depth, head, channels };
}

type PackedWrite = [index: number, channel: Channel, ref: PackedRef, path?: string];

/** The writes of one task mostly share their path, which the row holds once. */
export function packWrites(key: WritesKey, writes: readonly WriteRow[]): Sealed {
  const shared = writes[0]?.path ?? "";
  const packed = writes.map(({ index, channel, path, ref }): PackedWrite =>
    path === shared ? [index, channel, packRef(ref)] : [index, channel, packRef(ref), path],
  );
  return seal(key, packr.pack([shared, packed]));
}

export function unpackWrites(key: WritesKey, sealed: Sealed): WriteRow[] {
  const [shared, packed] = packr.unpack(unseal("writes", key, sealed)) as [string, PackedWrite[]];
  return packed.map(([index, channel, ref, path]) => ({ index, channel, path: path ?? shared, ref: unpackRef(ref)! }));
}

/** The rows of a log are elements one after another, each behind its length as a base-128 number. */
export function packElements(thread: ThreadKey, namespace: Namespace, channel: Channel, log: Branch, position: number, elements: readonly Uint8Array[]): Sealed {
  const body: Uint8Array = new Uint8Array(elements.reduce((size, { length }) => size + length + lengthBytes(length), 0));
  let at = 0;
  for (const element of elements) {
    let rest = element.length;
    for (; rest > 0x7f; rest >>>= 7) body[at++] = (rest & 0x7f) | 0x80;
    body[at++] = rest;
    body.set(element, at);
    at += element.length;
  }
  return seal([thread, namespace, channel, log, position], body);
}

export function unpackElements(thread: ThreadKey, namespace: Namespace, channel: Channel, log: Branch, position: number, sealed: Sealed): Uint8Array[] {
  const body = unseal("content", [thread, namespace, channel, log, position], sealed);
  const elements: Uint8Array[] = [];
  for (let at = 0; at < body.length; ) {
    let length = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = body[at++]!;
      length |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte > 0x7f);
    elements.push(body.subarray(at, (at += length)));
  }
  return elements;
}

function lengthBytes(length: number): number {
  let bytes = 1;
  for (let rest = length; rest > 0x7f; rest >>>= 7) bytes++;
  return bytes;
}
