import { withFields } from "../codec/malformed.ts";
import type { ValueType } from "../codec/index.ts";
import { MESSAGE_TYPES, type MessageFields, packMessage, unpackMessage } from "./message-fields.ts";

/**
 * A LangChain message where LangChain is not loaded: its fields, and what it is as `type` ("human", "ai", "system",
 * "tool", …). Stored again it is the same message; a copy by `{ ...message }` is a plain object, which LangGraph takes for a message too.
 */
export class StoredMessage {
  readonly #kind: number;
  readonly type: string;
  readonly id?: string;
  readonly content?: unknown;
  readonly [field: string]: unknown;

  constructor(kind: number, fields: object) {
    this.#kind = kind;
    this.type = MESSAGE_TYPES[kind % MESSAGE_TYPES.length]!;
    withFields(this, fields);
  }

  /** @internal */
  static kindOf(value: object): number {
    return #kind in value ? value.#kind : -1;
  }
}

/** The bytes are those of LangChain's message. */
export const storedMessageType: ValueType<StoredMessage, MessageFields> = {
  name: "message",
  is: (value): value is StoredMessage => value instanceof StoredMessage,
  encode(message) {
    const fields = Object.entries(message).filter(([field]) => field !== "type");
    return packMessage(StoredMessage.kindOf(message), fields.flatMap(([field, value]) => [field, value]));
  },
  named: (message) => Object.fromEntries(Object.entries(message)),
  decode(packed) {
    const { kind, fields } = unpackMessage(packed);
    return new StoredMessage(kind, fields);
  },
};
