import { type DBSchema, type IDBPDatabase, type IDBPTransaction, unwrap } from "idb";
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
/**
 * The last checkpoint of several in a row on a branch that store a value of a channel. The one after it, which stores none,
 * names it; so a checkpoint that stores no value finds the nearest one that does, and a channel that is always stored costs nothing.
 */
export type LastStored = [thread: ThreadKey, namespace: Namespace, channel: Channel, branch: Branch, depth: number];

/** What every row holds: a checksum over its key and its bytes, and the bytes. See `engine/seal.ts`. */
export type Sealed = Uint8Array<ArrayBuffer>;

export type CheckpointKey = [thread: ThreadKey, namespace: Namespace, checkpoint: CheckpointId];
export type WritesKey = [thread: ThreadKey, namespace: Namespace, checkpoint: CheckpointId, task: TaskId];
export type ContentKey = [thread: ThreadKey, namespace: Namespace, channel: Channel, branch: Branch, position: number];

export interface ThreadRecord {
  /** Milliseconds since 1970. */
  readonly updated: number;
  /** Also in the body: so the thread can be found if that is damaged. */
  readonly key: ThreadKey;
  /** A checksum over id and key alone. */
  readonly check: number;
  readonly body: Sealed;
}

export interface CheckpointRecord {
  readonly lineage: Lineage;
  readonly stored: readonly LastStored[];
  readonly body: Sealed;
}

export interface Schema extends DBSchema {
  /** One row, made with the database: a random name of this very database, to notice when it was emptied under us. */
  meta: { key: "generation"; value: string };
  threads: { key: ThreadId; value: ThreadRecord };
  checkpoints: {
    key: CheckpointKey;
    value: CheckpointRecord;
    indexes: { lineage: Lineage; stored: LastStored };
  };
  writes: { key: WritesKey; value: Sealed };
  content: { key: ContentKey; value: Sealed };
}

export type Database = IDBPDatabase<Schema>;
export type RowStore = "threads" | "checkpoints" | "writes" | "content";
export type Reading = IDBPTransaction<Schema, RowStore[], "readonly" | "readwrite">;
export type Writing = IDBPTransaction<Schema, RowStore[], "readwrite">;

/** Every transaction names all of these: a common store keeps writes in order, and Chromium from losing the origin when it is killed. */
export const ROW_STORES: RowStore[] = ["threads", "checkpoints", "writes", "content"];

/** 1: the first format. */
export const FORMAT = 1;

/** Brings a database of any earlier format to {@link FORMAT}, in order; every step looks at what is there. */
export function migrate(database: Database): void {
  const names = database.objectStoreNames;
  if (!names.contains("meta")) unwrap(database.createObjectStore("meta")).add(randomName(), "generation");
  if (!names.contains("threads")) database.createObjectStore("threads");
  if (!names.contains("checkpoints")) {
    const checkpoints = database.createObjectStore("checkpoints");
    checkpoints.createIndex("lineage", "lineage");
    checkpoints.createIndex("stored", "stored", { multiEntry: true });
  }
  if (!names.contains("writes")) database.createObjectStore("writes");
  if (!names.contains("content")) database.createObjectStore("content");
}

export function isOurs(database: Database): boolean {
  return ["meta", ...ROW_STORES].every((name) => (database.objectStoreNames as DOMStringList).contains(name));
}
