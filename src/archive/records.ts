import { FieldReader, FieldWriter, Malformed } from "./fields.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A value as its codec's bytes: by itself, element `i` ending at `ends[i]`; or as stretches of its channel's elements,
 * `[start, length, start, length, …]`. `shape` says what the elements make together.
 */
export type ArchivedValue =
  | { readonly shape: number; readonly bytes: Bytes; readonly ends: readonly number[] | Uint32Array }
  | { readonly shape: number; readonly pieces: readonly number[] };

export type InlineValue = Extract<ArchivedValue, { readonly bytes: Bytes }>;

/** Begins a file. */
export interface FileRecord {
  readonly kind: "file";
  /** Milliseconds since 1970. */
  readonly written: number;
}

/** Begins a thread: what comes up to the next one is of it. */
export interface ThreadRecord {
  readonly kind: "thread";
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly updated: number;
  readonly title?: string;
  readonly metadata?: InlineValue;
}

/** What comes up to the next one is of this namespace of the thread: "" is the graph itself, others are subgraphs. */
export interface NamespaceRecord {
  readonly kind: "namespace";
  readonly name: string;
}

/** Elements of values of a channel. Those of a channel are numbered from 0, in the order in which they come, over a namespace. */
export interface ElementsRecord {
  readonly kind: "elements";
  readonly channel: string;
  readonly elements: readonly Uint8Array[];
}

export interface ArchivedChannel {
  readonly name: string;
  readonly version?: number | string;
  readonly value?: ArchivedValue;
}

export interface CheckpointRecord {
  readonly kind: "checkpoint";
  readonly id: string;
  readonly parent?: string;
  /** Its ancestors were removed: what its history was comes behind it, in records of its past, none if there was nothing to keep. */
  readonly hasPast?: true;
  /** One element: `{ v, ts, seen, metadata }`, as LangGraph has them. */
  readonly head: Bytes;
  readonly channels: readonly ArchivedChannel[];
}

export interface ArchivedWrite {
  /** Of a task's writes. Below zero: one of LangGraph's special ones. */
  readonly index: number;
  readonly channel: string;
  /** Where in the graph the task sits. */
  readonly path: string;
  readonly value: ArchivedValue;
}

/** What one task wrote in a superstep. */
export interface ArchivedTask {
  readonly task: string;
  readonly writes: readonly ArchivedWrite[];
}

/** What one task wrote on a checkpoint, which need not be in the file. */
export interface WritesRecord extends ArchivedTask {
  readonly kind: "writes";
  readonly checkpoint: string;
}

/** The nearest value of a channel that a removed ancestor stored. */
export interface ArchivedSeed {
  readonly channel: string;
  readonly value: ArchivedValue;
}

/** What the history of a checkpoint was whose ancestors were removed. Of several records of one checkpoint each goes on where the one before ends. */
export interface PastRecord {
  readonly kind: "past";
  /** The last one before this record. */
  readonly checkpoint: string;
  readonly seeds: readonly ArchivedSeed[];
  /** What was written since, superstep by superstep, oldest first. */
  readonly steps: readonly (readonly ArchivedTask[])[];
}

/** How many of each a file holds. */
export interface Counts {
  threads: number;
  checkpoints: number;
  /** Records of them: one for each task. */
  writes: number;
  /** Records of them. */
  pasts: number;
  elements: number;
}

/** Nothing follows. */
export interface EndRecord extends Readonly<Counts> {
  readonly kind: "end";
}

export type ArchiveRecord = FileRecord | ThreadRecord | NamespaceRecord | ElementsRecord | CheckpointRecord | WritesRecord | PastRecord | EndRecord;

const KINDS = ["file", "thread", "namespace", "elements", "checkpoint", "writes", "past", "end"] as const satisfies ArchiveRecord["kind"][];

/** What of a thing is there, as bits. */
const HAS = { title: 1, metadata: 2, parent: 1, past: 2, number: 1, text: 2, value: 4, pieces: 1 } as const;

export function packRecord(to: FieldWriter, record: ArchiveRecord): void {
  to.byte(KINDS.indexOf(record.kind));
  switch (record.kind) {
    case "file":
      to.count(record.written);
      return;
    case "thread":
      to.text(record.id);
      to.count(record.created);
      to.count(record.updated);
      to.byte((record.title === undefined ? 0 : HAS.title) + (record.metadata === undefined ? 0 : HAS.metadata));
      if (record.title !== undefined) to.text(record.title);
      if (record.metadata !== undefined) packValue(to, record.metadata);
      return;
    case "namespace":
      to.text(record.name);
      return;
    case "elements":
      to.text(record.channel);
      to.count(record.elements.length);
      for (const element of record.elements) to.bytes(element);
      return;
    case "checkpoint":
      to.text(record.id);
      to.byte((record.parent === undefined ? 0 : HAS.parent) + (record.hasPast === true ? HAS.past : 0));
      if (record.parent !== undefined) to.text(record.parent);
      to.bytes(record.head);
      to.count(record.channels.length);
      for (const channel of record.channels) packChannel(to, channel);
      return;
    case "writes":
      to.text(record.checkpoint);
      packTask(to, record);
      return;
    case "past":
      to.text(record.checkpoint);
      to.count(record.seeds.length);
      for (const { channel, value } of record.seeds) {
        to.text(channel);
        packValue(to, value);
      }
      to.count(record.steps.length);
      for (const step of record.steps) {
        to.count(step.length);
        for (const task of step) packTask(to, task);
      }
      return;
    case "end":
      for (const count of [record.threads, record.checkpoints, record.writes, record.pasts, record.elements]) to.count(count);
      return;
  }
}

/** @throws Malformed for bytes that are none */
export function unpackRecord(from: FieldReader): ArchiveRecord {
  const kind = KINDS[from.byte()];
  switch (kind) {
    case "file":
      return { kind, written: from.count() };
    case "thread": {
      const [id, created, updated, has] = [from.id(), from.count(), from.count(), from.byte()];
      return {
        kind,
        id,
        created,
        updated,
        ...(has & HAS.title ? { title: from.text() } : {}),
        ...(has & HAS.metadata ? { metadata: unpackInline(from) } : {}),
      };
    }
    case "namespace":
      return { kind, name: from.text() };
    case "elements":
      return { kind, channel: from.text(), elements: list(from, () => from.bytes()) };
    case "checkpoint": {
      const [id, has] = [from.id(), from.byte()];
      const parent = has & HAS.parent ? { parent: from.id() } : {};
      const past = has & HAS.past ? { hasPast: true as const } : {};
      return { kind, id, ...parent, ...past, head: from.bytes(), channels: list(from, () => unpackChannel(from)) };
    }
    case "writes":
      return { kind, checkpoint: from.id(), ...unpackTask(from) };
    case "past": {
      const [checkpoint, seeds] = [from.id(), list(from, () => ({ channel: from.text(), value: unpackValue(from) }))];
      return { kind, checkpoint, seeds, steps: list(from, () => list(from, () => unpackTask(from))) };
    }
    case "end":
      return { kind, threads: from.count(), checkpoints: from.count(), writes: from.count(), pasts: from.count(), elements: from.count() };
    case undefined:
      break;
  }
  throw new Malformed("a record is of no known kind");
}

function packChannel(to: FieldWriter, { name, version, value }: ArchivedChannel): void {
  to.text(name);
  to.byte((typeof version === "number" ? HAS.number : typeof version === "string" ? HAS.text : 0) + (value === undefined ? 0 : HAS.value));
  if (typeof version === "number") to.float(version);
  else if (version !== undefined) to.text(version);
  if (value !== undefined) packValue(to, value);
}

function unpackChannel(from: FieldReader): ArchivedChannel {
  const [name, has] = [from.text(), from.byte()];
  const version = has & HAS.number ? { version: from.float() } : has & HAS.text ? { version: from.text() } : {};
  return { name, ...version, ...(has & HAS.value ? { value: unpackValue(from) } : {}) };
}

function packTask(to: FieldWriter, { task, writes }: ArchivedTask): void {
  to.text(task);
  to.count(writes.length);
  for (const write of writes) packWrite(to, write);
}

function unpackTask(from: FieldReader): ArchivedTask {
  return { task: from.id(), writes: list(from, () => unpackWrite(from)) };
}

/** An index below zero is packed as an odd number. */
function packWrite(to: FieldWriter, { index, channel, path, value }: ArchivedWrite): void {
  to.count(index < 0 ? -2 * index - 1 : 2 * index);
  to.text(channel);
  to.text(path);
  packValue(to, value);
}

function unpackWrite(from: FieldReader): ArchivedWrite {
  const index = from.count();
  return { index: index % 2 === 0 ? index / 2 : -(index + 1) / 2, channel: from.text(), path: from.text(), value: unpackValue(from) };
}

function packValue(to: FieldWriter, value: ArchivedValue): void {
  to.byte(value.shape);
  if ("pieces" in value) {
    to.byte(HAS.pieces);
    to.count(value.pieces.length / 2);
    for (const number of value.pieces) to.count(number);
    return;
  }
  to.byte(0);
  to.count(value.ends.length);
  let start = 0;
  for (const end of value.ends) {
    to.bytes(value.bytes.subarray(start, end));
    start = end;
  }
}

function unpackValue(from: FieldReader): ArchivedValue {
  const [shape, has] = [from.byte(), from.byte()];
  return has & HAS.pieces ? { shape, pieces: list(from, () => [from.count(), from.count()]).flat() } : inlineOf(from, shape);
}

function unpackInline(from: FieldReader): InlineValue {
  const [shape, has] = [from.byte(), from.byte()];
  if (has & HAS.pieces) throw new Malformed("a thread's metadata refers to elements");
  return inlineOf(from, shape);
}

function inlineOf(from: FieldReader, shape: number): InlineValue {
  const elements = list(from, () => from.bytes());
  const bytes = new Uint8Array(elements.reduce((size, { length }) => size + length, 0));
  let end = 0;
  const ends = elements.map((element) => {
    bytes.set(element, end);
    return (end += element.length);
  });
  return { shape, bytes, ends };
}

function list<T>(from: FieldReader, item: () => T): T[] {
  const items: T[] = [];
  for (let left = from.countOf(); left > 0; left--) items.push(item());
  return items;
}
