import { type DBSchema, type IDBPDatabase, type IDBPTransaction, unwrap } from "idb";
import { randomName } from "./random-name.ts";

declare const brand: unique symbol;
/** An id that was checked to be a usable key. Made by the layers that talk to callers, never by a cast elsewhere. */
export type ThreadId = string & { readonly [brand]: "thread" };
export type Namespace = string & { readonly [brand]: "namespace" };
export type CheckpointId = string & { readonly [brand]: "checkpoint" };
export type TaskId = string & { readonly [brand]: "task" };
export type Channel = string & { readonly [brand]: "channel" };
/** Branches are numbered within their thread. */
export type Branch = number & { readonly [brand]: "branch" };

/** A place on a branch: the ancestor walk reads ranges of these. */
export type Lineage = [thread: ThreadId, namespace: Namespace, branch: Branch, depth: number];
/** A stored value of a channel, by its place on a branch. */
export type StoredByPlace = [thread: ThreadId, namespace: Namespace, channel: Channel, branch: Branch, depth: number];
/** A stored value of a channel, by its version. A string stands where a branch would, so that the two kinds never meet. */
export type StoredByVersion = [thread: ThreadId, namespace: Namespace, channel: Channel, "", version: number | string];

/** What every row holds: a checksum over its key and its bytes, and the bytes. See `engine/seal.ts`. */
export type Sealed = Uint8Array<ArrayBuffer>;

export type CheckpointKey = [thread: ThreadId, namespace: Namespace, checkpoint: CheckpointId];
export type WritesKey = [thread: ThreadId, namespace: Namespace, checkpoint: CheckpointId, task: TaskId];
export type ContentKey = [thread: ThreadId, namespace: Namespace, channel: Channel, branch: Branch, position: number];

interface ThreadRecord {
  /** Milliseconds since 1970. */
  readonly updated: number;
  readonly body: Sealed;
}

export interface CheckpointRecord {
  readonly lineage: Lineage;
  readonly stored: readonly (StoredByPlace | StoredByVersion)[];
  readonly body: Sealed;
}

export interface Schema extends DBSchema {
  /** One row, made with the database: a random name of this very database, to notice when it was emptied under us. */
  meta: { key: "generation"; value: string };
  threads: { key: ThreadId; value: ThreadRecord; indexes: { updated: number } };
  checkpoints: {
    key: CheckpointKey;
    value: CheckpointRecord;
    indexes: { lineage: Lineage; stored: StoredByPlace | StoredByVersion };
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
  if (!names.contains("threads")) database.createObjectStore("threads").createIndex("updated", "updated");
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
