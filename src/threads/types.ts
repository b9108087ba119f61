import { Overwrite } from "../channels/index.ts";
import { record, withFields } from "../codec/malformed.ts";
import type { SnapshotType, ValueType } from "../codec/index.ts";
import { storedMessageType } from "./stored-message.ts";

/*
 * LangGraph tells its classes by their fields, and its package is not a dependency of this one: what comes back here is
 * what it accepts in their place.
 */

class StoredCommand {
  lg_name = "Command";
  lc_direct_tool_output = true;
  constructor(fields: unknown) {
    withFields(this, fields);
    Object.assign(this, { [Symbol.for("langgraph.command")]: fields });
  }
}

class StoredSend {
  lg_name = "Send";
  node: string;
  args: unknown;
  timeout: unknown;
  constructor({ node, args, timeout }: Record<string, unknown>) {
    this.node = node as string;
    this.args = args;
    this.timeout = timeout;
  }
  toJSON(): object {
    return { lg_name: this.lg_name, node: this.node, args: this.args, timeout: this.timeout };
  }
}

/** A LangChain document where LangChain is not loaded. */
class StoredDocument {
  constructor(fields: unknown) {
    withFields(this, fields);
  }
}

/** A delta channel's whole value among other values; as the value of a channel it is taken apart by the codec. */
class StoredSnapshot {
  readonly lg_name = "DeltaSnapshot";
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

function named(name: string) {
  return (value: object): value is object => (value as { lg_name?: unknown }).lg_name === name;
}

const CONSTANT = new Set(["lg_name", "lc_direct_tool_output"]);

/** The fields of an instance that are its own. */
export function fieldsOf(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key, field]) => !CONSTANT.has(key) && field !== undefined));
}

const sendType: ValueType = {
  name: "send",
  is: named("Send"),
  encode: fieldsOf,
  decode: (fields) => withFields(new StoredSend(record(fields)), fields),
};

const commandType: ValueType = {
  name: "command",
  is: named("Command"),
  encode: fieldsOf,
  decode: (fields) => new StoredCommand(fields),
};

const overwriteType: ValueType = {
  name: "overwrite",
  is: named("Overwrite"),
  encode: (value) => (value as Overwrite).__overwrite__,
  decode: (value) => new Overwrite(value),
};

const documentType: ValueType = {
  name: "document",
  is: (value): value is object => value instanceof StoredDocument,
  encode: fieldsOf,
  decode: (fields) => new StoredDocument(fields),
};

const snapshotType: ValueType = {
  name: "snapshot",
  is: named("DeltaSnapshot"),
  encode: (value) => (value as StoredSnapshot).value,
  decode: (value) => new StoredSnapshot(value),
};

/** LangGraph's own, the same with and without LangChain. */
export const graphTypes: readonly ValueType[] = [sendType, commandType, overwriteType];

/** Everything of LangChain and LangGraph that state is made of, without their classes. */
export const plainTypes: readonly ValueType[] = [storedMessageType, snapshotType, ...graphTypes, documentType];

export const plainSnapshots: SnapshotType = {
  open: (value) => (value instanceof StoredSnapshot ? value : undefined),
  make: (value) => new StoredSnapshot(value),
};
