import { DamagedError } from "../errors/index.ts";
import type { CheckpointId, Namespace, Sealed, ThreadId, ThreadKey, ThreadRecord } from "../idb/index.ts";
import { hashText } from "./hash.ts";
import { packr } from "../msgpack/index.ts";
import type { Loss } from "./lost.ts";
import { packId, type PackedId, type PackedRef, packRef, unpackId, unpackRef } from "./ref.ts";
import { seal, unseal } from "./seal.ts";
import type { EncodedValue } from "./types.ts";
import { finite, groups, list, refuse, text, wellFormed, whole } from "./well-formed.ts";

/** What a thread is. */
export interface ThreadRow {
  /** What the thread is called in keys. Another one of the same id, after this was deleted, is called otherwise. */
  readonly key: ThreadKey;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly title?: string;
  /** The application's, whatever it is. */
  readonly metadata?: EncodedValue;
  /** What repairs could not save. */
  readonly lost?: readonly Loss[];
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
  /** Of the rows written so far. */
  bytes: number;
}

type PackedThread = [key: ThreadKey, created: number, title?: string | null, metadata?: PackedRef | null, lost?: (string | PackedId)[]];

/** A random number that no other thread has. */
export function newThreadKey(): ThreadKey {
  return crypto.getRandomValues(new Uint32Array(2)).reduce((high, low) => (high % 2 ** 21) * 2 ** 32 + low) as ThreadKey;
}

export function packThread(thread: ThreadId, { key, created, title, metadata, lost }: ThreadRow): ThreadRecord {
  const packed: PackedThread = [key, created];
  if (title !== undefined || metadata !== undefined || lost !== undefined) packed.push(title ?? null);
  if (metadata !== undefined || lost !== undefined) packed.push(metadata === undefined ? null : packRef(metadata));
  if (lost !== undefined) packed.push(lost.flatMap(({ namespace, id, part }) => [namespace, packId(id), part]));
  return { key, check: keyCheck(thread, key), body: seal([thread], packr.pack(packed)) };
}

/** What a thread is called in keys: known even if the rest of its row is damaged. */
export function threadKeyOf(thread: ThreadId, record: unknown): ThreadKey {
  const { key, check } = (record ?? {}) as Partial<ThreadRecord>;
  if (typeof key === "number" && Number.isFinite(key) && check === keyCheck(thread, key)) return key;
  throw new DamagedError({ store: "threads", key: JSON.stringify(thread) });
}

function keyCheck(thread: ThreadId, key: ThreadKey): number {
  return hashText(String(key), hashText(thread));
}

export function unpackThread(thread: ThreadId, record: ThreadRecord): ThreadRow {
  const body = unseal("threads", [thread], record.body);
  return wellFormed("threads", thread, () => {
    const [key, created, title = null, packed = null, lost] = list(packr.unpack(body));
    const metadata = packed === null ? undefined : unpackRef(packed);
    if (metadata !== undefined && !("bytes" in metadata)) refuse("metadata in its row");
    return {
      key: finite(key) as ThreadKey,
      created: finite(created),
      ...(title === null ? {} : { title: text(title) }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(lost === undefined ? {} : { lost: Array.from(groups(lost, 3), lossOf) }),
    };
  });
}

function lossOf([namespace, id, part]: readonly unknown[]): Loss {
  if (part !== "row" && part !== "written" && part !== "values") refuse("a part of a checkpoint");
  return { namespace: text(namespace) as Namespace, id: unpackId<CheckpointId>(id), part };
}

export function packRevision(key: ThreadKey, { number, updated, checkpoints, branches, bytes }: Revision): Sealed {
  return seal([key], packr.pack([number, updated, checkpoints, branches, bytes]));
}

export function unpackRevision(key: ThreadKey, sealed: unknown): Revision {
  const body = unseal("revisions", [key], sealed);
  return wellFormed("revisions", key, () => {
    const [number, updated, checkpoints, branches, bytes] = list(packr.unpack(body)).map((part) => whole(part, Number.MAX_SAFE_INTEGER));
    return { number: number!, updated: updated!, checkpoints: whole(checkpoints), branches: whole(branches), bytes: bytes ?? refuse("a revision") };
  });
}
