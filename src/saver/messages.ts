import {
  AIMessage, AIMessageChunk, type BaseMessage, ChatMessage, ChatMessageChunk, FunctionMessage, FunctionMessageChunk,
  HumanMessage, HumanMessageChunk, RemoveMessage, SystemMessage, SystemMessageChunk, ToolMessage, ToolMessageChunk,
} from "@langchain/core/messages";
import type { ValueType } from "../codec/index.ts";
import { MESSAGE_FIELDS, MESSAGE_TYPES, type MessageFields, packMessage, unpackMessage } from "../threads/message-fields.ts";

type MessageClass = new (fields: never) => BaseMessage;

/** In the order of their types, which is what is on disk: then the chunks of the first ones. */
const CLASSES: readonly MessageClass[] = [
  HumanMessage, AIMessage, SystemMessage, ToolMessage, ChatMessage, FunctionMessage, RemoveMessage,
  HumanMessageChunk, AIMessageChunk, SystemMessageChunk, ToolMessageChunk, ChatMessageChunk, FunctionMessageChunk,
];

const USUAL = new Set(MESSAGE_FIELDS);

/** What the constructor sets by itself, the same for all messages of a class. */
const CONSTANT = new Set(["lc_kwargs", "lc_namespace", "lc_serializable", "lc_direct_tool_output", "type"]);

/**
 * LangChain's messages, as what their constructors take. The values are those of now, so a message changed in place is
 * right.
 */
export const messageType: ValueType<BaseMessage, MessageFields> = {
  name: "message",
  is: (value): value is BaseMessage => kindOf(value) >= 0,
  encode(message) {
    const own = message as unknown as Record<string, unknown>;
    const given = message.lc_kwargs as Record<string, unknown>;
    const fields: unknown[] = [];
    // What the constructor was given, as it is now, and what was added since.
    for (const field of Object.keys(given)) {
      if (!Object.hasOwn(own, field)) fields.push(field, field in own ? own[field] : given[field]);
    }
    for (const field of Object.keys(own)) if (!CONSTANT.has(field)) fields.push(field, own[field]);
    return packMessage(kindOf(message), fields);
  },
  named: (message) => Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, Reflect.get(message, field)])),
  decode(packed) {
    const { kind, fields } = unpackMessage(packed);
    const message = new (CLASSES[kind] as new (fields: unknown) => BaseMessage)({ ...fields }) as BaseMessage & Record<string, unknown>;
    // A constructor may make something else of a field than what was there.
    for (const field of Object.keys(fields)) {
      if (message[field] !== fields[field] && USUAL.has(field)) message[field] = fields[field];
    }
    return message;
  },
};

const kinds = new WeakMap<object, { readonly type: string; readonly kind: number }>();

/** By what a message says of itself and not by `instanceof`, so that a second copy of LangChain's package is understood. */
function kindOf(value: object): number {
  const { lc_serializable, lc_namespace, type, constructor } = value as Partial<Record<string, unknown>>;
  if (lc_serializable !== true || typeof type !== "string" || typeof constructor !== "function") return -1;
  if (!Array.isArray(lc_namespace) || lc_namespace[1] !== "messages") return -1;
  const known = kinds.get(constructor);
  if (known?.type === type) return known.kind;
  const kind = kindOfClass(constructor as unknown as typeof BaseMessage, type);
  kinds.set(constructor, { type, kind });
  return kind;
}

function kindOfClass(constructor: typeof BaseMessage, name: string): number {
  const type = MESSAGE_TYPES.indexOf(name);
  if (type < 0 || !isItself(constructor, type)) return -1;
  return constructor.lc_name().endsWith("Chunk") ? MESSAGE_TYPES.length + type : type;
}

/** An application's subclass would come back as its base class: it is not one of these. */
function isItself(constructor: { lc_name?: () => string }, type: number): boolean {
  if (type === MESSAGE_TYPES.indexOf("remove")) return Object.getPrototypeOf(constructor) !== RemoveMessage;
  const name = (CLASSES[type] as unknown as typeof BaseMessage).lc_name();
  return Object.hasOwn(constructor, "lc_name") && [name, `${name}Chunk`].includes(constructor.lc_name!());
}
