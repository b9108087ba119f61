import { UnknownTypeError } from "../errors/index.ts";
import { bytes, entries as entriesOf, list, number, text } from "./malformed.ts";
import { mark, type Mark, Tag } from "./marks.ts";

/*
 * The classes of the language itself. Each has a way down to plain data, given how to lower what it holds, and a way up in
 * two steps: an empty instance, and filling it, so that a cycle can run through it.
 */

const VIEWS = {
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
  Float32Array, Float64Array, BigInt64Array, BigUint64Array, DataView,
  // Newer than the others: a browser that lacks it cannot read what another wrote.
  ...("Float16Array" in globalThis ? { Float16Array: (globalThis as { Float16Array?: unknown }).Float16Array as Float32ArrayConstructor } : {}),
};
const ERRORS = { Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const ERROR_FIELDS = ["name", "message", "stack", "cause", "errors"] as const;

/** A built-in as a mark, or undefined if it is none of them. */
export function lowerBuiltIn(value: object, lower: (value: unknown, at: string) => unknown): unknown {
  const is = (Class: { readonly prototype: object }) => Object.getPrototypeOf(value) === Class.prototype;
  if (value instanceof Date && is(Date)) return mark(Tag.date, value.getTime());
  if (value instanceof Map && is(Map)) {
    return mark(Tag.map, [...value].flatMap(([key, entry], index) => [lower(key, `key ${index}`), lower(entry, entryName(key, index))]));
  }
  if (value instanceof Set && is(Set)) return mark(Tag.set, [...value].map((entry, index) => lower(entry, String(index))));
  if (value instanceof RegExp && is(RegExp)) return mark(Tag.regexp, value.source, value.flags, value.lastIndex);
  if (value instanceof Error) return lowerError(value, lower);
  if (value instanceof ArrayBuffer) return mark(Tag.buffer, new Uint8Array(value.slice()));
  if (ArrayBuffer.isView(value)) return lowerView(value);
  return undefined;
}

/** What to call the value of a map's entry in an error. */
export function entryName(key: unknown, index: number): string {
  return typeof key === "string" || typeof key === "number" ? String(key) : `value ${index}`;
}

function lowerView(value: ArrayBufferView): unknown {
  const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const kind = value instanceof DataView ? "DataView" : (value as Uint8Array)[Symbol.toStringTag];
  if (kind === "Uint8Array") return bytes;
  return Object.hasOwn(VIEWS, kind) ? mark(Tag.view, kind, bytes) : undefined;
}

/** Own fields, and those that an error has without listing them. The class is the nearest one of the language. */
function lowerError(error: Error, lower: (value: unknown, at: string) => unknown): Mark {
  const kind = (Object.keys(ERRORS) as (keyof typeof ERRORS)[]).find((name) => name !== "Error" && error instanceof ERRORS[name]) ?? "Error";
  const common: unknown = ERRORS[kind].prototype;
  const listed = Object.keys(error);
  const hidden = ERROR_FIELDS.filter(
    (field) => !listed.includes(field) && (Object.hasOwn(error, field) || valueOf(error, field) !== valueOf(common, field)),
  );
  const fields = (keys: readonly string[]) => keys.flatMap((key) => [key, lower(valueOf(error, key), key)]);
  return mark(Tag.error, kind, fields(hidden), fields(listed));
}

function valueOf(holder: unknown, field: string): unknown {
  return (holder as Record<string, unknown>)[field];
}

/** The instance that a mark describes, still without what it holds, and the way to fill it. */
export function raiseBuiltIn(
  tag: number,
  content: readonly unknown[],
  raise: (value: unknown) => unknown,
): { value: object; fill?: () => void } | undefined {
  switch (tag) {
    case Tag.date:
      return { value: new Date(number(content[0])) };
    case Tag.map: {
      const value = new Map<unknown, unknown>();
      const entries = entriesOf(content[0]);
      return {
        value,
        fill: () => {
          for (let at = 0; at < entries.length; at += 2) value.set(raise(entries[at]), raise(entries[at + 1]));
        },
      };
    }
    case Tag.set: {
      const value = new Set<unknown>();
      return { value, fill: () => list(content[0]).forEach((entry) => value.add(raise(entry))) };
    }
    case Tag.regexp:
      return { value: Object.assign(new RegExp(text(content[0]), text(content[1])), { lastIndex: number(content[2]) }) };
    case Tag.error:
      return raiseError(content, raise);
    case Tag.buffer:
      return { value: ownBuffer(bytes(content[0])) };
    case Tag.view: {
      if (content[0] === "Float16Array" && !("Float16Array" in VIEWS)) throw new UnknownTypeError({ type: "Float16Array" });
      if (!Object.hasOwn(VIEWS, text(content[0]))) return undefined;
      const Kind = VIEWS[content[0] as keyof typeof VIEWS] as new (buffer: ArrayBuffer) => ArrayBufferView;
      return { value: new Kind(ownBuffer(bytes(content[1]))) };
    }
    default:
      return undefined;
  }
}

function raiseError(content: readonly unknown[], raise: (value: unknown) => unknown): { value: object; fill: () => void } {
  const [kind, hidden, listed] = [text(content[0]), entriesOf(content[1]), entriesOf(content[2])];
  const Kind = Object.hasOwn(ERRORS, kind) ? ERRORS[kind as keyof typeof ERRORS] : Error;
  const value = kind === "AggregateError" ? new AggregateError([]) : new (Kind as ErrorConstructor)();
  for (const own of ["stack", "errors"]) Reflect.deleteProperty(value, own);
  return {
    value,
    fill: () => {
      const set = (key: unknown, field: unknown, enumerable: boolean) =>
        Object.defineProperty(value, text(key), { value: raise(field), enumerable, writable: true, configurable: true });
      for (let at = 0; at < hidden.length; at += 2) set(hidden[at], hidden[at + 1], false);
      for (let at = 0; at < listed.length; at += 2) set(listed[at], listed[at + 1], true);
    },
  };
}

function ownBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
