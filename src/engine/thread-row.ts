import { DamagedError } from "../errors/index.ts";
import type { Sealed, ThreadId, ThreadKey, ThreadRecord } from "../idb/index.ts";
import { hashText } from "./hash.ts";
import { packr } from "../msgpack/index.ts";
import { type PackedRef, packRef, unpackRef } from "./ref.ts";
import { seal, unseal } from "./seal.ts";
import type { EncodedValue } from "./types.ts";

/** What a thread is. */
export interface ThreadRow {
  /** What the thread is called in keys. Another one of the same id, after this was deleted, is called otherwise. */
  readonly key: ThreadKey;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly title?: string;
  /** The application's, whatever it is. */
  readonly metadata?: EncodedValue;
  /** Not to be removed to save space. */
  readonly isPinned?: boolean;
}

/** Where a thread stands: a row of its own, since every write changes it. */
export interface Revision {
  /** One more with every transaction that writes to the thread: what was read at this number still holds. */
  number: number;
  /** Milliseconds since 1970. */
  updated: number;
  checkpoints: number;
  /** How many branches were begun: the number of the next one. */
  branches: number;
  /** About what its rows take. */
  bytes: number;
  /** How often something of it was removed: content that was read at another number may have gone. */
  removals: number;
  /** The thread is not listed yet: the name of the import that makes it. */
  import?: string;
}

type PackedThread = [key: ThreadKey, created: number, title?: string | null, metadata?: PackedRef | null, isPinned?: boolean];

export function packThread(thread: ThreadId, { key, created, title, metadata, isPinned = false }: ThreadRow): ThreadRecord {
  const packed: PackedThread = [key, created];
  if (title !== undefined || metadata !== undefined || isPinned) packed.push(title ?? null);
  if (metadata !== undefined || isPinned) packed.push(metadata === undefined ? null : packRef(metadata));
  if (isPinned) packed.push(true);
  return { key, check: keyCheck(thread, key), body: seal([thread], packr.pack(packed)) };
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
  const [key, created, title, packed, isPinned = false] = packr.unpack(unseal("threads", [thread], record.body)) as PackedThread;
  const metadata = packed ? unpackRef(packed) : undefined;
  return {
    key,
    created,
    ...(title === undefined || title === null ? {} : { title }),
    ...(metadata !== undefined && "bytes" in metadata ? { metadata } : {}),
    ...(isPinned ? { isPinned } : {}),
  };
}

type PackedRevision = [number: number, updated: number, checkpoints: number, branches: number, bytes: number, removals?: number, made?: string];

export function packRevision(key: ThreadKey, revision: Revision): Sealed {
  const { number, updated, checkpoints, branches, bytes, removals } = revision;
  const rare = revision.import === undefined ? (removals === 0 ? [] : [removals]) : [removals, revision.import];
  return seal([key], packr.pack([number, updated, checkpoints, branches, bytes, ...rare]));
}

export function unpackRevision(key: ThreadKey, sealed: unknown): Revision {
  const [number, updated, checkpoints, branches, bytes, removals = 0, made] = packr.unpack(unseal("revisions", [key], sealed)) as PackedRevision;
  return { number, updated, checkpoints, branches, bytes, removals, ...(made === undefined ? {} : { import: made }) };
}
