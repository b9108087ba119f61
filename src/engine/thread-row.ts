import { DamagedError } from "../errors/index.ts";
import type { CheckpointId, Namespace, Sealed, ThreadId, ThreadKey, ThreadRecord } from "../idb/index.ts";
import { hashText } from "./hash.ts";
import { packr } from "../msgpack/index.ts";
import type { Loss } from "./lost.ts";
import { packId, type PackedId, unpackId } from "./packed-id.ts";
import { type PackedRef, packRef, unpackRef } from "./ref.ts";
import { seal, unseal } from "./seal.ts";
import type { EncodedValue } from "./types.ts";
import { finite, groups, list, refuse, text, truth, wellFormed, whole } from "./well-formed.ts";

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
  /** About what its rows take. */
  bytes: number;
  /** How often something of it was removed: content that was read at another number may have gone. */
  removals: number;
  /** The thread is not listed yet: the name of the import that makes it. */
  import?: string;
}

type PackedThread = [key: ThreadKey, created: number, title?: string | null, metadata?: PackedRef | null, isPinned?: boolean, lost?: (string | PackedId)[]];

export function packThread(thread: ThreadId, { key, created, title, metadata, isPinned = false, lost }: ThreadRow): ThreadRecord {
  const optional = [title ?? null, metadata === undefined ? null : packRef(metadata), isPinned, lost?.flatMap(({ namespace, id, part }) => [namespace, packId(id), part])] as const;
  const said = [title !== undefined, metadata !== undefined, isPinned, lost !== undefined].lastIndexOf(true) + 1;
  const packed = [key, created, ...optional.slice(0, said)] as PackedThread;
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
    const [key, created, title = null, packed = null, isPinned = false, lost] = list(packr.unpack(body));
    const metadata = packed === null ? undefined : unpackRef(packed);
    if (metadata !== undefined && !("bytes" in metadata)) refuse("metadata in its row");
    return {
      key: finite(key) as ThreadKey,
      created: finite(created),
      ...(title === null ? {} : { title: text(title) }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(truth(isPinned) ? { isPinned: true } : {}),
      ...(lost === undefined ? {} : { lost: Array.from(groups(lost, 3), lossOf) }),
    };
  });
}

function lossOf([namespace, id, part]: readonly unknown[]): Loss {
  if (part !== "row" && part !== "written" && part !== "values" && part !== "past") refuse("a part of a checkpoint");
  return { namespace: text(namespace) as Namespace, id: unpackId<CheckpointId>(id), part };
}

export function packRevision(key: ThreadKey, revision: Revision): Sealed {
  const { number, updated, checkpoints, branches, bytes, removals } = revision;
  const rare = revision.import === undefined ? (removals === 0 ? [] : [removals]) : [removals, revision.import];
  return seal([key], packr.pack([number, updated, checkpoints, branches, bytes, ...rare]));
}

export function unpackRevision(key: ThreadKey, sealed: unknown): Revision {
  const body = unseal("revisions", [key], sealed);
  return wellFormed("revisions", key, () => {
    const [number, updated, checkpoints, branches, bytes, removals = 0, made] = list(packr.unpack(body));
    const count = (value: unknown) => whole(value, Number.MAX_SAFE_INTEGER);
    return {
      number: count(number),
      updated: count(updated),
      checkpoints: whole(checkpoints),
      branches: whole(branches),
      bytes: count(bytes),
      removals: count(removals),
      ...(made === undefined ? {} : { import: text(made) }),
    };
  });
}
