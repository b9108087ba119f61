import { SerializerMismatchError, UnsupportedValueError } from "../errors/index.ts";
import { packr, read, requirePlain } from "../msgpack/index.ts";
import { entryName } from "./built-ins.ts";
import { elementAt, type ElementBytes, type Encoded, Elements, Kind, Shape, SNAPSHOT, startOf } from "./encoded.ts";
import { HoldsItself, isOdd, isPlainArray, type Lowered, Lowering } from "./lower.ts";
import { malformed, text, wellFormed } from "./malformed.ts";
import { raise } from "./raise.ts";
import { Reuse } from "./reuse.ts";
import { type OtherTypes, type ValueType, ValueTypes } from "./value-type.ts";

/** From here on the entries of a Map or a plain object are stored one by one, so that changing one does not store all again. */
const MANY_ENTRIES = 16;

const NO_BYTES = new Uint8Array(0);

/** Values to elements and back: at once, or through an application's serializer, which may take its time. */
export interface ValueCodec {
  /**
   * Has read the value when it returns.
   *
   * @param path what to call the value in errors, for example `channel_values.messages`
   */
  encode(value: unknown, path: string): Encoded | Promise<Encoded>;
  /** What the elements from one up to another hold, which are of values of some shape. */
  decode(elements: ElementBytes, from: number, to: number, shape: number): unknown[] | Promise<unknown[]>;
  /** The value that decoded elements make. */
  assemble(shape: number, items: unknown[]): unknown;
}

/** Wraps and unwraps what LangGraph calls a snapshot. */
export interface SnapshotType {
  /** The value inside, if it is one. */
  open(value: unknown): { readonly value: unknown } | undefined;
  make(value: unknown): unknown;
}

/**
 * Values to elements of bytes and back. Lists, large maps and large records become one element for each item, so that the
 * engine can store an item once, in whichever versions of the list it occurs; everything else is one element.
 */
export class Codec implements ValueCodec {
  readonly #types: ValueTypes;
  readonly #snapshots: SnapshotType;
  readonly #reuse: Reuse;
  /** A long list was encoded whole: the next one will mostly be the same items, also those that are read in between. */
  #repeats = false;

  constructor(types: readonly ValueType[], snapshots: SnapshotType, others?: OtherTypes) {
    this.#types = new ValueTypes(types, others);
    this.#reuse = new Reuse(this.#types);
    this.#snapshots = snapshots;
  }

  /** @throws UnsupportedValueError for a function, a symbol, or an instance of a class that is not registered */
  encode(value: unknown, path: string): Encoded {
    const snapshot = this.#snapshots.open(value);
    if (snapshot === undefined) return this.#encode(value, path, 0);
    return this.#encode(snapshot.value, `${path}.value`, SNAPSHOT);
  }

  /** @throws DamagedError for bytes that hold no value */
  decode(elements: ElementBytes, from: number, to: number, shape: number): unknown[] {
    const { kinds, trees } = wellFormed(() => treesOf(elements, from, to));
    const isKept = this.#repeats && shape % SNAPSHOT === Shape.array;
    return trees.map((tree, index) => {
      const kind = kinds[index];
      if (kind === undefined) return HOLE;
      if (kind === Kind.serializer) throw new SerializerMismatchError({ written: "with serde" });
      const item = kind === Kind.marked ? raise(tree, this.#types) : tree;
      if (isKept) this.#reuse.keep(item, elementAt(elements, from + index));
      return item;
    });
  }

  assemble(shape: number, items: unknown[]): unknown {
    if (shape >= SNAPSHOT) return this.#snapshots.make(this.assemble(shape - SNAPSHOT, items));
    switch (shape) {
      case Shape.array:
        return items.includes(HOLE) ? withHoles(items) : items;
      case Shape.map:
        return new Map(items.map(pair));
      case Shape.record:
        return Object.fromEntries(items.map((item) => [text(pair(item)[0]), pair(item)[1]]));
      case Shape.single:
        return items[0];
      default:
        throw malformed(`a value of the shape ${shape}`);
    }
  }

  #encode(value: unknown, path: string, added: number): Encoded {
    const list = asList(value);
    if (list !== undefined) {
      try {
        return this.#encodeElements(list.items, list, path, list.shape + added);
      } catch (error) {
        if (!(error instanceof HoldsItself)) throw error;
      }
    }
    return this.#encodeElements([value], undefined, path, Shape.single + added);
  }

  #encodeElements(items: readonly unknown[], list: List | undefined, path: string, shape: number): Encoded {
    const lowering = new Lowering(this.#types, path);
    const elements = new Elements();
    if (shape === Shape.array && items.length >= MANY_ENTRIES) this.#repeats = true;
    for (let index = 0; index < items.length; index++) {
      if (list?.shape === Shape.array && !(index in items)) {
        elements.add(NO_BYTES); // A hole.
        continue;
      }
      const known = list?.shape === Shape.array ? this.#reuse.find(items[index]) : undefined;
      if (known !== undefined) {
        elements.add(known);
        continue;
      }
      const { tree, marked } = lowerItem(lowering, items[index], list, index);
      const element = elements.addContent(marked ? Kind.marked : Kind.plain, this.#pack(tree, path));
      if (list?.shape === Shape.array) this.#reuse.keep(items[index], element);
    }
    return elements.encoded(shape);
  }

  #pack(tree: unknown, path: string): Uint8Array {
    try {
      return packr.pack(tree);
    } catch (cause) {
      throw new UnsupportedValueError({ path, kind: "nested too deeply" }, { cause });
    }
  }
}

const HOLE = Symbol("hole");

function pair(item: unknown): [unknown, unknown] {
  if (Array.isArray(item) && item.length === 2) return item as [unknown, unknown];
  throw malformed("an entry that is no key and value");
}

/** Of each element the kind, which of a hole is undefined, and the tree. */
function treesOf(elements: ElementBytes, from: number, to: number): { readonly kinds: readonly (number | undefined)[]; readonly trees: readonly unknown[] } {
  const kinds: (number | undefined)[] = [];
  const apart: number[] = [];
  for (let index = from; index < to; index++) {
    const [start, end] = [startOf(elements, index), elements.ends[index]!];
    const kind = start === end ? undefined : elements.bytes[start]!;
    kinds.push(kind);
    if (kind === undefined) continue;
    if (kind > Kind.serializer) throw malformed(`an element of the kind ${kind}`);
    if (requirePlain(elements.bytes, start + 1, end)) apart.push(index);
  }
  const bytes = elements.bytes.subarray(startOf(elements, from), startOf(elements, to));
  // The kind is itself a number in MessagePack, and one call for all of it is much quicker than one for each.
  const flat = bytes.length === 0 ? [] : packr.unpackMultiple(bytes);
  let next = 0;
  const trees = kinds.map((kind) => (kind === undefined ? undefined : flat[(next += 2) - 1]));
  for (const index of apart) trees[index - from] = read(elements.bytes, startOf(elements, index) + 1);
  return { kinds, trees };
}

function withHoles(values: unknown[]): unknown[] {
  for (const [index, value] of values.entries()) if (value === HOLE) Reflect.deleteProperty(values, index);
  return values;
}

/** A value that is taken apart, and its items: those of a map or a record are pairs of key and value. */
export interface List {
  readonly whole: object;
  readonly items: readonly unknown[];
  readonly shape: number;
}

export function asList(value: unknown): List | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (isPlainArray(value)) return isOdd(value) ? undefined : { whole: value, items: value, shape: Shape.array };
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Map.prototype && (value as Map<unknown, unknown>).size >= MANY_ENTRIES) {
    return { whole: value, items: [...(value as Map<unknown, unknown>)], shape: Shape.map };
  }
  if (prototype !== Object.prototype) return undefined;
  const keys = Object.keys(value);
  if (keys.length < MANY_ENTRIES || keys.includes("__proto__") || Object.getOwnPropertySymbols(value).length > 0) return undefined;
  return { whole: value, items: Object.entries(value), shape: Shape.record };
}

function lowerItem(lowering: Lowering, item: unknown, list: List | undefined, index: number): Lowered {
  if (list === undefined) return lowering.lower(item);
  if (list.shape === Shape.array) return lowering.lower(item, list.whole, index);
  const [key, value] = item as [unknown, unknown];
  const lowered = [lowering.lower(key, list.whole, `key ${index}`), lowering.lower(value, list.whole, entryName(key, index))] as const;
  return { tree: lowered.map(({ tree }) => tree), marked: lowered.some(({ marked }) => marked) };
}
