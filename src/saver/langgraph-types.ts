import { DeltaSnapshot, isDeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { Document } from "@langchain/core/documents";
import { messageType } from "./messages.ts";
import type { SnapshotType, ValueType } from "../codec/index.ts";

/*
 * LangGraph tells these by their fields, not by their class, and its package is not a dependency of this one: what comes
 * back here is what it accepts in their place.
 */

class StoredCommand {
  lg_name = "Command";
  lc_direct_tool_output = true;
  constructor(fields: object) {
    Object.assign(this, fields, { [Symbol.for("langgraph.command")]: fields });
  }
}

class StoredOverwrite {
  lg_name = "Overwrite";
  __overwrite__: unknown;
  constructor(value: unknown) {
    this.__overwrite__ = value;
  }
  get value(): unknown {
    return this.__overwrite__;
  }
  toJSON(): object {
    return { __overwrite__: this.__overwrite__ };
  }
}

class StoredSend {
  lg_name = "Send";
  node: string;
  args: unknown;
  timeout: unknown;
  constructor(fields: { node: string; args: unknown; timeout?: unknown }) {
    this.node = fields.node;
    this.args = fields.args;
    this.timeout = fields.timeout;
  }
  toJSON(): object {
    return { lg_name: this.lg_name, node: this.node, args: this.args, timeout: this.timeout };
  }
}

function named(name: string) {
  return (value: object): value is object => (value as { lg_name?: unknown }).lg_name === name;
}

const CONSTANT = new Set(["lg_name", "lc_direct_tool_output"]);

/** The fields of an instance that are its own. */
function fieldsOf(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key, field]) => !CONSTANT.has(key) && field !== undefined));
}

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

const sendType: ValueType = {
  name: "send",
  is: named("Send"),
  encode: fieldsOf,
  decode: (fields) => Object.assign(new StoredSend(fields as { node: string; args: unknown }), fields),
};

const commandType: ValueType = {
  name: "command",
  is: named("Command"),
  encode: fieldsOf,
  decode: (fields) => new StoredCommand(fields as object),
};

const overwriteType: ValueType = {
  name: "overwrite",
  is: named("Overwrite"),
  encode: (value) => (value as { __overwrite__: unknown }).__overwrite__,
  decode: (value) => new StoredOverwrite(value),
};

const documentType: ValueType = {
  name: "document",
  is: (value): value is object => value.constructor === Document,
  encode: fieldsOf,
  decode: (fields) => Object.assign(new Document(fields as { pageContent: string }), fields),
};

/** Everything of LangChain and LangGraph that state is made of. */
export const langGraphTypes: readonly ValueType[] = [
  messageType,
  snapshotType,
  sendType,
  commandType,
  overwriteType,
  documentType,
];
