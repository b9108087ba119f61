import { InvalidConfigError } from "../errors/index.ts";
import type { Step } from "./history.ts";
import type { ThreadState } from "./state.ts";

export interface TranscriptOptions {
  /** A checkpoint's id. Default: the newest of the thread; of a fork, where it stands. */
  readonly at?: string;
  /**
   * Of what. `"state"`, the default: the state at the checkpoint. `"steps"`: what was written in each of the steps that led to it, oldest
   * first.
   */
  readonly of?: "state" | "steps";
  /**
   * `"markdown"`, the default: the messages, for reading. `"json"`: everything, as far as JSON can say it; what it has no word for is an object
   * with one key that begins with `$`.
   */
  readonly as?: "markdown" | "json";
}

export function formOf({ of = "state", as = "markdown" }: TranscriptOptions): { of: "state" | "steps"; as: "markdown" | "json" } {
  if (of !== "state" && of !== "steps") throw new InvalidConfigError({ field: "of", hint: 'It is "state" or "steps".' });
  if (as !== "markdown" && as !== "json") throw new InvalidConfigError({ field: "as", hint: 'It is "markdown" or "json".' });
  return { of, as };
}

type Snapshot = ThreadState<Readonly<Record<string, unknown>>>;

/** A state or steps as JSON. */
export function asJson(thread: string, of: { readonly state: Snapshot | undefined } | { readonly steps: readonly Step[] }): string {
  return `${JSON.stringify(plain({ thread, ...of }, []), undefined, 2)}\n`;
}

/** The messages of a state, channel by channel. */
export function stateAsMarkdown(thread: string, state: Snapshot | undefined): string {
  const lists = Object.entries(state?.values ?? {}).flatMap(([channel, value]) => (isMessages(value) ? [{ channel, messages: value }] : []));
  const parts = lists.flatMap(({ channel, messages }) => [...(lists.length > 1 ? [`## ${inline(channel)}`] : []), ...messages.map(messageAsMarkdown)]);
  return document(thread, state?.id, parts);
}

/** The messages that were written in each step, oldest first. */
export function stepsAsMarkdown(thread: string, steps: readonly Step[]): string {
  const parts = steps.flatMap(({ id, created, writes }) => {
    const messages = writes.flatMap(({ value }) => (Array.isArray(value) ? value : [value]).filter(isMessage));
    return messages.length === 0 ? [] : [`## ${created.toISOString()} \`${inline(id)}\``, ...messages.map(messageAsMarkdown)];
  });
  return document(thread, steps.at(-1)?.id, parts);
}

function document(thread: string, checkpoint: string | undefined, parts: readonly string[]): string {
  const from = checkpoint === undefined ? "No checkpoint." : `Checkpoint \`${inline(checkpoint)}\`.`;
  return `${[`# ${inline(thread)}`, from, ...parts].join("\n\n")}\n`;
}

interface MessageLike {
  readonly role?: unknown;
  readonly type?: unknown;
  readonly name?: unknown;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
}

/** Something that is said by somebody: of LangChain, or a plain object with a role. */
function isMessage(value: unknown): value is MessageLike {
  return typeof value === "object" && value !== null && speakerOf(value) !== undefined && ("content" in value || "parts" in value);
}

function isMessages(value: unknown): value is readonly MessageLike[] {
  return Array.isArray(value) && value.length > 0 && value.every(isMessage);
}

const SPEAKERS = new Map([["human", "user"], ["ai", "assistant"]]);

function speakerOf({ role, type }: MessageLike): string | undefined {
  const speaker = role ?? type;
  return typeof speaker === "string" ? (SPEAKERS.get(speaker) ?? speaker) : undefined;
}

function messageAsMarkdown(message: MessageLike): string {
  const { name, content, tool_calls: calls } = message;
  const title = `**${inline(speakerOf(message) ?? "")}${typeof name === "string" ? ` (${inline(name)})` : ""}**`;
  const said = textOf(content ?? (message as { parts?: unknown }).parts);
  return [title, ...(said === "" ? [] : [said]), ...(Array.isArray(calls) ? calls.map(callAsMarkdown) : [])].join("\n\n");
}

function callAsMarkdown(call: unknown): string {
  const { name, args } = (call ?? {}) as { name?: unknown; args?: unknown };
  return `Calls \`${inline(String(name))}\`:\n\n${fenced(JSON.stringify(plain(args, []), undefined, 2), "json")}`;
}

/** The text of a message's content; of its other parts, what they are. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  if (!Array.isArray(content)) return fenced(JSON.stringify(plain(content, []), undefined, 2), "json");
  return content.map((part: unknown) => (typeof part === "string" ? part : isText(part) ? part.text : `*(${inline(kindOf(part))})*`)).join("\n\n");
}

function isText(part: unknown): part is { readonly text: string } {
  return typeof part === "object" && part !== null && typeof (part as { text?: unknown }).text === "string";
}

function kindOf(part: unknown): string {
  const type = typeof part === "object" && part !== null ? (part as { type?: unknown }).type : undefined;
  return typeof type === "string" ? type : "something else";
}

/** A fence that nothing in the text can close. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** On one line, and without an end of the code or emphasis around it. */
function inline(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").replaceAll(/[`*]/g, "'");
}

/** A value as JSON can hold it. Keys of objects stay what they are; what is inside itself is said to be. */
function plain(value: unknown, around: readonly object[]): unknown {
  if (typeof value === "bigint") return { $bigint: String(value) };
  if (value === undefined) return { $undefined: true };
  if (typeof value === "number") return Number.isFinite(value) ? value : { $number: String(value) };
  if (typeof value !== "object" || value === null) return value;
  if (around.includes(value)) return { $circular: true };
  const deeper = (part: unknown): unknown => plain(part, [...around, value]);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? { $date: "invalid" } : value.toISOString();
  if (value instanceof Map) return { $map: [...value].map(deeper) };
  if (value instanceof Set) return { $set: [...value].map(deeper) };
  if (value instanceof RegExp) return { $regexp: String(value) };
  if (value instanceof Error) return { $error: { name: value.name, message: value.message } };
  if (ArrayBuffer.isView(value)) return { $bytes: hex(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
  if (value instanceof ArrayBuffer) return { $bytes: hex(new Uint8Array(value)) };
  if (Array.isArray(value)) return Array.from(value, deeper);
  return Object.fromEntries(fieldsOf(value).filter(([, field]) => field !== undefined).map(([key, field]) => [key, deeper(field)]));
}

/** Of LangChain's messages, what they say; not what they need to work. */
const INTERNAL = new Set(["lc_kwargs", "lc_namespace", "lc_serializable"]);

function fieldsOf(value: object): [string, unknown][] {
  const fields = Object.entries(value).filter(([key]) => !INTERNAL.has(key));
  const { type } = value as { type?: unknown };
  return typeof type === "string" && !Object.hasOwn(value, "type") ? [["type", type], ...fields] : fields;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
