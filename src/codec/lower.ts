import { CheckpointError, UnsupportedValueError } from "../errors/index.ts";
import { lowerBuiltIn } from "./built-ins.ts";
import { isMarked, mark, MOST_DIGITS, Tag } from "./marks.ts";
import type { ValueType, ValueTypes } from "./value-type.ts";

/** An object that is read anew until it reads the same may do so this often. */
const MAX_PASSES = 8;

const LONG_ARRAY = 100_000;

/** Deeper values would overflow the stack somewhere. */
const MAX_DEPTH = 1000;

/** What became of a value: `tree` is what `msgpack` can write, `marked` says whether any mark is in it. */
export interface Lowered {
  readonly tree: unknown;
  readonly marked: boolean;
}

/** Thrown inside when a list turns out to hold itself, so that it cannot be taken apart into elements. */
export class HoldsItself extends Error {}

/**
 * Turns values into trees of plain data, marks included. A value is read completely before this returns, and whatever
 * would not come back as it is makes it throw, naming the path.
 */
export class Lowering {
  readonly #types: ValueTypes;
  /** Where the value is: a name, then keys and indexes. */
  readonly #path: (string | number)[];
  readonly #seen = new Set<object>();
  /** Objects that occur more than once, once a first pass found some; with the number of those met in this pass. */
  #shared: Map<object, number | undefined> | undefined;
  /** Instances under way: they cannot be made before what they hold, so nothing in them can be them. */
  readonly #making = new Set<object>();
  /** What instances were encoded as: each is asked once. */
  readonly #encoded = new Map<object, unknown>();
  #outer: object | undefined;
  readonly #found = new Set<object>();
  #labels = 0;
  #marks = 0;

  constructor(types: ValueTypes, path: string) {
    this.#types = types;
    this.#path = [path];
  }

  /** One value, or one element of `list`, on its own. */
  lower(value: unknown, list?: object, at?: string | number): Lowered {
    if (at !== undefined) this.#path.push(at);
    this.#outer = list;
    this.#shared = undefined;
    this.#found.clear();
    this.#encoded.clear();
    let tree = this.#read(value);
    for (let known = 0, passes = 0; this.#found.size > known; ) {
      if (++passes === MAX_PASSES) this.#refuse("an object that is another each time it is read");
      known = this.#found.size;
      this.#shared = new Map([...this.#found].map((each) => [each, undefined]));
      tree = this.#read(value);
    }
    if (at !== undefined) this.#path.pop();
    return { tree, marked: this.#marks > 0 };
  }

  /** Whatever goes wrong on the way, a getter that throws or a stack that overflows, is refused with its path. */
  #read(value: unknown): unknown {
    try {
      return this.#pass(value);
    } catch (error) {
      if (CheckpointError.is(error) || error instanceof HoldsItself) throw error;
      return this.#refuse("something that cannot be read, or too deep", error);
    }
  }

  #pass(value: unknown): unknown {
    this.#seen.clear();
    this.#marks = 0;
    this.#labels = 0;
    return this.#any(value);
  }

  #any(value: unknown): unknown {
    switch (typeof value) {
      case "string":
        return value.isWellFormed() ? value : this.#mark(Tag.text, utf16(value));
      case "number":
        return value === 0 && Object.is(value, -0) ? this.#mark(Tag.negativeZero) : value;
      case "boolean":
        return value;
      case "undefined":
        return this.#mark(Tag.undefined);
      case "bigint":
        return this.#mark(Tag.bigint, this.#digits(value));
      case "object":
        return value === null ? null : this.#object(value);
      default:
        return this.#refuse(`a ${typeof value}`);
    }
  }

  #object(value: object): unknown {
    if (value === this.#outer) throw new HoldsItself();
    if (this.#shared?.has(value)) {
      const known = this.#shared.get(value);
      if (known !== undefined) {
        if (this.#making.has(value)) this.#refuse("a reference to the instance that holds it");
        return this.#mark(Tag.same, known);
      }
      const label = this.#labels++;
      this.#shared.set(value, label);
      return this.#mark(Tag.label, label, this.#content(value));
    }
    if (this.#seen.has(value)) {
      this.#found.add(value);
      return null;
    }
    this.#seen.add(value);
    return this.#content(value);
  }

  #content(value: object): unknown {
    if (this.#path.length > MAX_DEPTH) this.#refuse(`nested more than ${MAX_DEPTH} levels deep`);
    if (isPlainArray(value)) return this.#array(value);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === null || prototype === Object.prototype || isForeignPlain(prototype as object)) return this.#plain(value, prototype === null);
    const type = this.#types.of(value);
    if (type !== undefined) return this.#instance(value, type);
    const builtIn = lowerBuiltIn(value, (inner, at) => this.#at(at, inner));
    if (builtIn === undefined) return this.#refuse(`an instance of ${(value.constructor as { name?: string } | undefined)?.name || "an unnamed class"}`);
    if (!(builtIn instanceof Uint8Array)) this.#marks++;
    return builtIn;
  }

  #instance(value: object, type: ValueType): unknown {
    const depth = this.#path.length;
    this.#making.add(value);
    try {
      if (!this.#encoded.has(value)) this.#encoded.set(value, type.encode(value));
      return this.#mark(Tag.instance, type.name, this.#any(this.#encoded.get(value)));
    } catch (error) {
      this.#path.length = depth;
      if (error instanceof UnsupportedValueError && type.named !== undefined) {
        this.#seen.clear();
        this.#plain(type.named(value), false);
      }
      throw error;
    } finally {
      this.#making.delete(value);
    }
  }

  #array(value: readonly unknown[]): unknown[] {
    if (isOdd(value)) this.#refuse("an array with other keys than its items, or with hardly any items");
    const lowered: unknown[] = new Array(value.length);
    for (let index = 0; index < value.length; index++) {
      const item = value[index];
      if (item === undefined && !(index in value)) lowered[index] = this.#mark(Tag.hole);
      else lowered[index] = this.#at(index, item);
    }
    return lowered;
  }

  #plain(value: object, bare: boolean): unknown {
    const keys = Object.keys(value);
    if (Object.getOwnPropertySymbols(value).some((symbol) => Object.prototype.propertyIsEnumerable.call(value, symbol))) {
      this.#refuse("an object with a symbol as a key");
    }
    const read = (key: string): unknown => {
      this.#path.push(key); // Before it is read: a getter may throw.
      const lowered = this.#any((value as Record<string, unknown>)[key]);
      this.#path.pop();
      return lowered;
    };
    if (bare || keys.some((key) => key === "__proto__" || !key.isWellFormed()) || isMarked(value)) {
      return this.#mark(bare ? Tag.bare : Tag.entries, keys.flatMap((key) => [this.#any(key), read(key)]));
    }
    const lowered: Record<string, unknown> = {};
    for (const key of keys) lowered[key] = read(key);
    return lowered;
  }

  #at(key: string | number, value: unknown): unknown {
    this.#path.push(key);
    const lowered = this.#any(value);
    this.#path.pop();
    return lowered;
  }

  #digits(value: bigint): string {
    // Four bits have more than one digit: so long a text is known not to be needed before it is made.
    const digits = value >> BigInt(4 * MOST_DIGITS) === (value < 0n ? -1n : 0n) ? value.toString() : "";
    return digits !== "" && digits.length <= MOST_DIGITS ? digits : this.#refuse(`a bigint of more than ${MOST_DIGITS} digits`);
  }

  #mark(tag: number, ...content: unknown[]): unknown {
    this.#marks++;
    return mark(tag, ...content);
  }

  #refuse(kind: string, cause?: unknown): never {
    const [root, ...keys] = this.#path.slice(0, 40);
    throw new UnsupportedValueError({ path: `${root}${keys.map(step).join("")}`, kind }, cause === undefined ? {} : { cause });
  }
}

/** A key as one would write it in code. */
function step(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** An array, of this realm or another, and not an instance of a subclass: only the prototype of arrays is itself one. */
export function isPlainArray(value: object): value is readonly unknown[] {
  return Array.isArray(value) && Array.isArray(Object.getPrototypeOf(value));
}

/** An array with other keys than its items, or a long one with few items, which would take time and space for nothing. */
export function isOdd(value: readonly unknown[]): boolean {
  const keys = Object.keys(value);
  const last = keys.at(-1); // The items come first.
  if (last !== undefined && (!/^\d+$/.test(last) || !(Number(last) < value.length))) return true;
  return value.length > LONG_ARRAY && keys.length < value.length / 2;
}

/** The plain objects of another realm: their prototype is an Object.prototype, just not this one. */
function isForeignPlain(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}

function utf16(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let at = 0; at < text.length; at++) {
    bytes[2 * at] = text.charCodeAt(at) & 0xff;
    bytes[2 * at + 1] = text.charCodeAt(at) >> 8;
  }
  return bytes;
}
