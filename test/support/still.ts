import { HumanMessage } from "@langchain/core/messages";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";

/** What a program reads from a message: two of them are the same if these are. */
class Read {
  readonly id: string | undefined;
  readonly content: unknown;
  readonly extra: unknown;

  constructor(message: HumanMessage) {
    this.id = message.id;
    this.content = still(message.content);
    this.extra = still(message.additional_kwargs);
  }
}

/** A deep copy that nobody changes and that can be compared: messages are in it as what can be read from them. */
export function still<T>(value: T): T;
export function still(value: unknown): unknown {
  return copy(value, (each) => (HumanMessage.isInstance(each) ? new Read(each) : undefined));
}

/** A deep copy of a still one, to go on with: with messages. */
export function lively<T>(value: T): T;
export function lively(value: unknown): unknown {
  return copy(value, (each) =>
    each instanceof Read ? new HumanMessage({ ...(each.id === undefined ? {} : { id: each.id }), content: lively(each.content) as string, additional_kwargs: lively(each.extra) as Record<string, unknown> }) : undefined,
  );
}

function copy(value: unknown, replaced: (each: object) => object | undefined): unknown {
  if (typeof value !== "object" || value === null) return value;
  const other = replaced(value);
  if (other !== undefined) return other;
  const deeper = (part: unknown): unknown => copy(part, replaced);
  if (value instanceof Uint8Array) return value.slice();
  if (value instanceof DeltaSnapshot) return new DeltaSnapshot(deeper(value.value));
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [deeper(key), deeper(item)]));
  if (Array.isArray(value)) return value.map(deeper); // Holes stay holes.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deeper(item)]));
}
