import { InvalidConfigError } from "../errors/index.ts";
import { overwriteOf, Overwrite } from "./overwrite.ts";

/** The id of a removal that removes all messages before it. */
export const REMOVE_ALL_MESSAGES = "__remove_all__";

/** What makes an object a message here: it may have an id. Plain objects and LangChain's messages are. */
export interface Identified {
  readonly id?: string | undefined;
}

/** A plain message. */
export interface Message extends Identified {
  readonly role?: string;
  readonly content?: unknown;
  readonly [field: string]: unknown;
}

/** A write that removes a message. LangChain's `RemoveMessage` is one. */
export interface Removal {
  readonly type: "remove";
  readonly id: string;
}

/** What can be written to a channel of messages. */
export type MessageWrite<M extends Identified> = M | Removal | readonly (M | Removal)[];

/** A write that removes the message of this id, or with {@link REMOVE_ALL_MESSAGES} all so far. */
export function removeMessage(id: string): Removal {
  return { type: "remove", id };
}

/**
 * A list of messages: one whose id is there already takes that one's place, a removal takes one out or all, any other is
 * added at the end. Of an unknown id a removal does nothing.
 */
export function messagesReducer<M extends Identified = Message>(state: readonly M[], writes: readonly MessageWrite<M>[]): M[] {
  const list = new MessageList<M>(state);
  for (const message of writes.flat() as (M | Removal)[]) list.take(message);
  return list.messages;
}

class MessageList<M extends Identified> {
  /** Undefined where one was removed. */
  #messages: (M | undefined)[];
  /** By id; where several have one, as in lists that were not made here, all of them. */
  readonly #places = new Map<string, number | readonly number[]>();

  constructor(state: readonly M[]) {
    this.#messages = [...state];
    for (const [place, { id }] of state.entries()) this.#note(id, place);
  }

  get messages(): M[] {
    return this.#messages.filter((message) => message !== undefined);
  }

  take(message: M | Removal): void {
    if (isRemoval(message)) this.#remove(message.id);
    else this.#add(message);
  }

  #add(message: M): void {
    const places = this.#placesOf(message.id);
    if (places.length > 0) {
      this.#messages[places.at(-1)!] = message;
      return;
    }
    this.#note(message.id, this.#messages.length);
    this.#messages.push(message);
  }

  #remove(id: string): void {
    if (id === REMOVE_ALL_MESSAGES) {
      this.#messages = [];
      this.#places.clear();
      return;
    }
    for (const place of this.#placesOf(id)) this.#messages[place] = undefined;
    this.#places.delete(id);
  }

  #placesOf(id: string | null | undefined): readonly number[] {
    const places = id === undefined || id === null ? [] : (this.#places.get(id) ?? []);
    return typeof places === "number" ? [places] : places;
  }

  #note(id: string | null | undefined, place: number): void {
    if (id === undefined || id === null) return;
    const others = this.#placesOf(id);
    this.#places.set(id, others.length === 0 ? place : [...others, place]);
  }
}

/**
 * A write with an id for every message that has none, so that what is stored has ids and replays the same each time.
 * Plain objects are copied; instances, of LangChain's classes say, are given the id.
 */
export function withMessageIds(write: unknown): unknown {
  const overwrite = overwriteOf(write);
  if (overwrite !== undefined) {
    const value = withMessageIds(overwrite.value);
    return value === overwrite.value ? write : new Overwrite(value);
  }
  if (!Array.isArray(write)) return withId(write);
  const messages: readonly unknown[] = write;
  const identified = messages.map(withId);
  return identified.every((message, index) => message === messages[index]) ? write : identified;
}

/** Whether a write, before {@link withMessageIds}, only adds messages that nobody has seen, so that it does not matter which are there. */
export function addsOnly(write: unknown): boolean {
  if (overwriteOf(write) !== undefined) return false;
  const messages = (Array.isArray(write) ? write : [write]) as (Identified | null)[];
  return messages.every((message) => typeof message === "object" && message !== null && (message.id ?? undefined) === undefined && !isRemoval(message));
}

function withId(message: unknown): unknown {
  if (message === null || message === undefined) throw new InvalidConfigError({ field: "messages", hint: "Each message is an object." });
  if (typeof message !== "object") return message;
  const { id, lc_kwargs: given } = message as { id?: unknown; lc_kwargs?: object };
  if (id !== undefined && id !== null) return message;
  const made = { id: crypto.randomUUID() };
  const prototype: unknown = Object.getPrototypeOf(message);
  if (given === undefined && (prototype === Object.prototype || prototype === null)) return { ...message, ...made };
  if (given !== undefined) Object.assign(given, made);
  return Object.assign(message, made);
}

function isRemoval(message: Identified): message is Removal {
  return (message as Partial<Removal>).type === "remove";
}
