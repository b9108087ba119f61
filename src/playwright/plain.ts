import { BaseMessage } from "@langchain/core/messages";

/** A value as JSON can hold it, to compare and to print: messages as their fields with their `type`, bytes in base64, dates as ISO text. */
export function plain(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (BaseMessage.isInstance(value)) return plainMessage(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return btoa(String.fromCharCode(...value));
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Map) return plainFields([...value].map(([key, item]) => [String(key), item]));
  if (Array.isArray(value) || value instanceof Set) return [...value].map(plain);
  return plainFields(Object.entries(value));
}

const MESSAGE_FIELDS = ["id", "name", "content", "tool_calls", "tool_call_id", "status", "artifact", "additional_kwargs"] as const;

function plainMessage(message: BaseMessage): unknown {
  const fields = message as unknown as Readonly<Record<string, unknown>>;
  const given = MESSAGE_FIELDS.map((name): [string, unknown] => [name, fields[name]]).filter(([, field]) => !isEmpty(field));
  return plainFields([["type", message.type], ...given]);
}

/** What a message has of a field that it was not given. */
function isEmpty(field: unknown): boolean {
  return field === undefined || (typeof field === "object" && field !== null && Object.keys(field).length === 0);
}

function plainFields(fields: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined).map(([name, field]) => [name, plain(field)]));
}
