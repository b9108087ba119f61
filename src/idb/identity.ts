import type { Bytes } from "../cipher/index.ts";
import { packr } from "../msgpack/index.ts";
import type { CheckpointRecord, RowStore, Schema, ThreadRecord } from "./schema.ts";

type Value = Schema[RowStore]["value"];
type Outer = ThreadRecord | CheckpointRecord;

/** The part of a stored value that is encrypted: all of it, but for what an index needs and what finds a thread whose row is damaged. */
export function sealedIn(value: unknown): unknown {
  return isOuter(value) ? value.body : value;
}

export function withSealed<V extends Value>(value: V, row: Bytes): V {
  if (!isOuter(value)) return row as V;
  return ("lineage" in value ? { lineage: value.lineage, body: row } : { key: value.key, check: value.check, body: row }) as V;
}

function isOuter(value: unknown): value is Outer {
  return typeof value === "object" && value !== null && "body" in value;
}

/** What a row is, and what it says in plain: the same bytes for no other row of any database. */
export function identityOf(generation: string, store: RowStore, key: Schema[RowStore]["key"], value: unknown): Bytes {
  return new Uint8Array(packr.pack([generation, store, key, isOuter(value) ? plainOf(value) : null]));
}

function plainOf(value: Outer): unknown[] {
  return "lineage" in value ? [...value.lineage] : [value.key, value.check];
}
