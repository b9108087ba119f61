import { list, malformed, number, withFields } from "../codec/malformed.ts";

/** What `type` says of LangChain's message classes. By place: what is on disk is the index. Added to, never changed. */
export const MESSAGE_TYPES = ["human", "ai", "system", "tool", "generic", "function", "remove"];

/** The types, and then again the first six of them as chunks. */
const KINDS = 2 * MESSAGE_TYPES.length - 1;

/** The fields that messages usually have, by bit. Others are stored with their names. */
export const MESSAGE_FIELDS = [
  "content", "id", "name", "additional_kwargs", "response_metadata", "tool_calls", "invalid_tool_calls", "usage_metadata",
  "tool_call_chunks", "tool_call_id", "artifact", "status", "metadata", "role",
];

/** `kind` is the index of the type; the chunks begin again with the first. */
export type MessageFields = [kind: number, present: number, ...values: unknown[]];

const BITS = new Map(MESSAGE_FIELDS.map((field, bit) => [field, bit]));

/**
 * A bit for each usual field that is there, their values, and an object with the others if there are any.
 *
 * @param fields names and values by turns
 */
export function packMessage(kind: number, fields: readonly unknown[]): MessageFields {
  let present = 0;
  const values = new Array<unknown>(MESSAGE_FIELDS.length);
  let others: Record<string, unknown> | undefined;
  for (let at = 0; at < fields.length; at += 2) {
    const [field, value] = [fields[at] as string, fields[at + 1]];
    const bit = BITS.get(field);
    if (value === undefined) continue;
    if (bit === undefined) Object.defineProperty((others ??= {}), field, { value, enumerable: true, writable: true, configurable: true });
    else {
      present |= 1 << bit;
      values[bit] = value;
    }
  }
  const packed: MessageFields = [kind, present];
  for (const value of values) if (value !== undefined) packed.push(value);
  if (others !== undefined) packed.push(others);
  return packed;
}

/** @throws DamagedError for what is no message */
export function unpackMessage(packed: unknown): { readonly kind: number; readonly fields: Record<string, unknown> } {
  const values = list(packed);
  const [kind, present] = [number(values[0]), number(values[1])];
  if (!Number.isInteger(kind) || kind < 0 || kind >= KINDS) throw malformed("a message of no kind");
  const fields: Record<string, unknown> = {};
  let next = 2;
  for (let bit = 0; bit < MESSAGE_FIELDS.length; bit++) if (present & (1 << bit)) fields[MESSAGE_FIELDS[bit]!] = values[next++];
  return { kind, fields: next < values.length ? withFields(fields, values[next]) : fields };
}
