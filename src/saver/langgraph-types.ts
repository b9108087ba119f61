import { DeltaSnapshot, isDeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { Document } from "@langchain/core/documents";
import { messageType } from "./messages.ts";
import { record, type SnapshotType, type ValueType, withFields } from "../codec/index.ts";
import { fieldsOf, graphTypes } from "../threads/types.ts";

/** A delta channel's full value in `channel_values`; anywhere else it is an instance like others. */
export const snapshots: SnapshotType = {
  open: (value) => (isDeltaSnapshot(value) && !isPlain(value) ? value : undefined),
  make: (value) => new DeltaSnapshot(value),
};

/** Plain data may look like a snapshot, and stays what it is. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const snapshotType: ValueType = {
  name: "snapshot",
  is: isDeltaSnapshot,
  encode: (value) => (value as DeltaSnapshot).value,
  decode: (value) => new DeltaSnapshot(value),
};

const documentType: ValueType = {
  name: "document",
  is: (value): value is object => value.constructor === Document,
  encode: fieldsOf,
  decode: (fields) => withFields(new Document(record(fields) as { pageContent: string }), fields),
};

/** Everything of LangChain and LangGraph that state is made of. */
export const langGraphTypes: readonly ValueType[] = [messageType, snapshotType, ...graphTypes, documentType];
