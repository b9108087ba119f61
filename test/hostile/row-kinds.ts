import { packCheckpoint, unpackCheckpoint } from "../../src/engine/checkpoint-row.ts";
import { GONE, packElements, unpackElements } from "../../src/engine/elements.ts";
import { packPast, unpackPast } from "../../src/engine/past.ts";
import { seal } from "../../src/engine/seal.ts";
import { expand, squeeze } from "../../src/engine/squeeze.ts";
import { packRevision, packThread, unpackRevision, unpackThread } from "../../src/engine/thread-row.ts";
import { packBlock, packWrites, unpackBlock, unpackWrites, type Write } from "../../src/engine/writes-row.ts";
import type { BlockKey, Branch, Channel, CheckpointId, CheckpointRecord, ContentKey, Lineage, Namespace, TaskId, ThreadId, ThreadKey, ThreadRecord } from "../../src/idb/index.ts";
import { CheckpointError } from "../../src/index.ts";

/** What `read` gives; undefined for a refusal, which has to be the package's own. */
export function orRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (CheckpointError.is(error)) return undefined;
    throw error;
  }
}

const [thread, namespace, id, task] = [7 as ThreadKey, "" as Namespace, "1f000000-0000-6000-8000-000000000001" as CheckpointId, "a task" as TaskId];
const lineage: Lineage = [thread, namespace, 3 as Branch, 40];
const blockKey: BlockKey = [thread, namespace, 3 as Branch, 1];
const contentKey: ContentKey = [thread, namespace, "list" as Channel, 3 as Branch, 32];
const past = [thread, namespace, id] as const;
const pieces = [{ log: 3 as Branch, start: 4, length: 30 }, { log: 1 as Branch, start: 0, length: 1 }];
const inline = { shape: 0, bytes: Uint8Array.of(0, 1), ends: [2] };
const writes: Write[] = [
  { index: 0, channel: "list" as Channel, path: "path", ref: { shape: 1, pieces } },
  { index: -1, channel: "__error__" as Channel, path: "", ref: inline },
];

interface RowKind {
  /** The body of a row as it is written. */
  readonly body: Uint8Array;
  /** Reads a row with another body, under a checksum that is right, and gives what it would be written as. */
  readonly rewrite: (body: Uint8Array) => readonly [read: unknown, again: unknown];
}

const body = (row: Uint8Array): Uint8Array => row.subarray(4);
const again = <T>(read: T, unpacked: (read: T) => T): readonly [unknown, unknown] => [read, unpacked(read)];

/** The rows there are, with a small one of each. */
export const kinds: Readonly<Record<string, RowKind>> = {
  checkpoints: {
    body: body(packCheckpoint([thread, namespace, id], { parent: id, past: { rows: 2, branches: [1 as Branch] }, branch: 3 as Branch, depth: 40, head: Uint8Array.of(1, 2), channels: [{ name: "list" as Channel, version: 1.5, ref: { shape: 9, pieces } }, { name: "x" as Channel, version: "2", nearest: 3 }, { name: "y" as Channel, ref: inline }] }).body),
    rewrite: (found) => again(unpackCheckpoint([thread, namespace, id], { lineage, body: seal([id, ...lineage], found) } satisfies CheckpointRecord), (row) => unpackCheckpoint([thread, namespace, id], packCheckpoint([thread, namespace, id], row))),
  },
  "checkpoints before they are squeezed": {
    body: expand(body(packCheckpoint([thread, namespace, id], { branch: 3 as Branch, depth: 40, head: Uint8Array.of(1, 2), channels: [{ name: "list" as Channel, version: 1.5, ref: { shape: 9, pieces } }] }).body))!,
    rewrite: (found) => again(unpackCheckpoint([thread, namespace, id], { lineage, body: seal([id, ...lineage], squeeze(found)) } satisfies CheckpointRecord), (row) => unpackCheckpoint([thread, namespace, id], packCheckpoint([thread, namespace, id], row))),
  },
  writes: {
    body: body(packWrites([thread, namespace, id, task], writes)),
    rewrite: (found) => again(unpackWrites([thread, namespace, id, task], seal([thread, namespace, id, task], found)), (row) => unpackWrites([thread, namespace, id, task], packWrites([thread, namespace, id, task], row))),
  },
  blocks: {
    body: body(packBlock(blockKey, new Map([[32, new Map([[task, writes]])], [33, new Map()]]))),
    rewrite: (found) => again(unpackBlock(blockKey, seal(blockKey, found)), (row) => unpackBlock(blockKey, packBlock(blockKey, row))),
  },
  pasts: {
    body: body(packPast(past, { seeds: new Map([["list" as Channel, inline]]), steps: [writes.map((write) => [task, write])] })[0]!),
    rewrite: (found) => again(unpackPast(past, [seal([...past, 0], found)], 1), (row) => unpackPast(past, packPast(past, row), packPast(past, row).length)),
  },
  content: {
    body: body(packElements(contentKey, [Uint8Array.of(0, 1), GONE, new Uint8Array(200), new Uint8Array(0)])),
    rewrite: (found) => again(unpackElements(contentKey, seal(contentKey, found)), (row) => unpackElements(contentKey, packElements(contentKey, row))),
  },
  threads: {
    body: body(packThread("id" as ThreadId, { key: thread, created: 5, title: "title", metadata: inline, isPinned: true, lost: [{ namespace, id, part: "row" }] }).body),
    rewrite: (found) => again(unpackThread("id" as ThreadId, { body: seal(["id"], found) } as ThreadRecord), (row) => unpackThread("id" as ThreadId, packThread("id" as ThreadId, row))),
  },
  revisions: {
    body: body(packRevision(thread, { number: 4, updated: 5, checkpoints: 6, branches: 7, bytes: 8, removals: 2, import: "name" })),
    rewrite: (found) => again(unpackRevision(thread, seal([thread], found)), (row) => unpackRevision(thread, packRevision(thread, row))),
  },
};
