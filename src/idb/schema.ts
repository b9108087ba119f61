import { type DBSchema, type IDBPDatabase, type IDBPIndex, type IDBPObjectStore, type IndexNames, unwrap } from "idb";
import type { Slots } from "../cipher/index.ts";
import type { IdKey } from "./id-key.ts";
import { randomName } from "./random-name.ts";

declare const brand: unique symbol;
/** An id that was checked to be a usable key. Made by the layers that talk to callers, never by a cast elsewhere. */
export type ThreadId = string & { readonly [brand]: "thread" };
export type Namespace = string & { readonly [brand]: "namespace" };
export type CheckpointId = string & { readonly [brand]: "checkpoint" };
export type TaskId = string & { readonly [brand]: "task" };
export type Channel = string & { readonly [brand]: "channel" };
/** What a thread is called in the keys of other stores: a random number, shorter than most ids, and never used again. */
export type ThreadKey = number & { readonly [brand]: "thread key" };
/** Branches are numbered within their thread. */
export type Branch = number & { readonly [brand]: "branch" };

/** A place on a branch: the ancestor walk reads ranges of these. */
export type Lineage = [thread: ThreadKey, namespace: Namespace, branch: Branch, depth: number];
/** What every row holds: a checksum over its key and its bytes, and the bytes. See `engine/seal.ts`. */
export type Sealed = Uint8Array<ArrayBuffer>;

export type CheckpointKey = [thread: ThreadKey, namespace: Namespace, checkpoint: IdKey];
export type WritesKey = [thread: ThreadKey, namespace: Namespace, checkpoint: IdKey, task: IdKey];
export type BlockKey = [thread: ThreadKey, namespace: Namespace, branch: Branch, block: number];
/** The rows of one checkpoint are numbered from 0. */
export type PastKey = [thread: ThreadKey, namespace: Namespace, checkpoint: IdKey, part: number];
export type ContentKey = [thread: ThreadKey, namespace: Namespace, channel: Channel, branch: Branch, position: number];
/** What follows of a row that is too long for one record. See `records.ts`. */
export type ContentPartKey = [...ContentKey, part: number];

export interface ThreadRecord {
  readonly key: ThreadKey;
  /** A checksum over id and key alone: so the thread can be found if the body is damaged. */
  readonly check: number;
  readonly body: Sealed;
}

export interface CheckpointRecord {
  readonly lineage: Lineage;
  readonly body: Sealed;
}

export interface Schema extends DBSchema {
  /**
   * `generation`, made with the database: a random name of this very database, to notice when it was emptied under us.
   * `encryption`: the data keys of an encrypted database, in a slot for each key that opens it. `passphrase`: what a key is derived with.
   */
  meta: { key: "generation" | "encryption" | "passphrase"; value: string | Slots | Derivation };
  /** What a thread is, written when that changes. */
  threads: { key: ThreadId; value: ThreadRecord };
  /** What every write of a thread changes: small, and under a small key. */
  revisions: { key: ThreadKey; value: Sealed };
  checkpoints: { key: CheckpointKey; value: CheckpointRecord; indexes: { lineage: Lineage } };
  /** What one task wrote on one checkpoint, until its block is packed. */
  writes: { key: WritesKey; value: Sealed };
  /** What all tasks wrote on consecutive checkpoints of a branch. */
  blocks: { key: BlockKey; value: Sealed };
  /** What the history of a checkpoint was before its ancestors were removed. */
  pasts: { key: PastKey; value: Sealed };
  content: { key: ContentKey | ContentPartKey; value: Sealed };
}

/** How a key is derived from a passphrase. */
export interface Derivation {
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly iterations: number;
}

export type Database = IDBPDatabase<Schema>;
export type RowStore = "threads" | "revisions" | "checkpoints" | "writes" | "blocks" | "pasts" | "content";

type Requests = "getKey" | "getAllKeys" | "count" | "openKeyCursor";

/** What a store is asked. Nothing that hands out rows one after another: in an encrypted database they are decrypted many at a time. */
type Rows<S extends RowStore> = Pick<IDBPObjectStore<Schema, RowStore[], S, "readonly" | "readwrite">, Requests | "get" | "getAll"> & {
  /** The first row of a range in a direction, with its key. */
  openCursor(range: IDBKeyRange, direction: IDBCursorDirection): Promise<{ readonly primaryKey: Schema[S]["key"]; readonly value: Schema[S]["value"] } | null>;
  index<I extends IndexNames<Schema, S>>(name: I): Pick<IDBPIndex<Schema, RowStore[], S, I, "readonly" | "readwrite">, Requests>;
};

/** A transaction, whether rows are encrypted or not. Nothing but its requests may be awaited while it is under way. */
export interface Reading {
  objectStore<S extends RowStore>(store: S): Rows<S>;
}

/** One that rows are put into, by {@link put} and {@link remove}. */
export interface Writing extends Reading {
  abort(): void;
}

/** Every transaction names all of these: a common store keeps writes in order, and Chromium from losing the origin when it is killed. */
export const ROW_STORES: RowStore[] = ["threads", "revisions", "checkpoints", "writes", "blocks", "pasts", "content"];

/** Those whose keys start with what a thread is called. */
export const THREAD_STORES = ["checkpoints", "writes", "blocks", "pasts", "content"] as const satisfies RowStore[];

/** 1: the first format. */
export const FORMAT = 1;

/**
 * Added to the version of an encrypted database. So the browser itself keeps who has no key from opening it; and takes it from
 * those who have it open when it is encrypted.
 */
export const ENCRYPTED = 2 ** 30;

/** Brings a database of any earlier format to {@link FORMAT}, in order; every step looks at what is there. */
export function migrate(database: Database): void {
  const has = (store: RowStore | "meta") => database.objectStoreNames.contains(store);
  if (!has("meta")) unwrap(database.createObjectStore("meta")).add(randomName(), "generation");
  if (!has("checkpoints")) database.createObjectStore("checkpoints").createIndex("lineage", "lineage");
  for (const store of ROW_STORES) if (!has(store)) database.createObjectStore(store);
}

export function isOurs(database: Database): boolean {
  return ["meta", ...ROW_STORES].every((name) => (database.objectStoreNames as DOMStringList).contains(name));
}
