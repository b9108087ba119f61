import { Packed } from "../msgpack/index.ts";
import { isPlainArray } from "./lower.ts";
import { isMarked, MARK, mark, Tag } from "./marks.ts";
import type { ValueTypes } from "./value-type.ts";

/**
 * The bytes of items that were encoded or decoded before, as long as the application holds on to them: so a list that is given
 * again and again is not encoded again and again. That it is the same object says nothing, since it may have been changed
 * in place: what it holds now is compared with the bytes, all the way down, and only plain data is ever found equal.
 */
export class Reuse {
  readonly #types: ValueTypes;
  readonly #known = new WeakMap<object, Packed>();

  constructor(types: ValueTypes) {
    this.#types = types;
  }

  /** The bytes of an item, if it still holds the same. */
  find(item: unknown): Uint8Array | undefined {
    if (typeof item !== "object" || item === null) return undefined;
    const known = this.#known.get(item);
    if (known === undefined) return undefined;
    const type = isPlain(item) || isPlainArray(item) ? undefined : this.#types.of(item);
    const instance = type && mark(Tag.instance, type.name, type.encode(item));
    const envelope: readonly unknown[] = instance === undefined ? [] : [instance, instance[MARK]];
    const seen = new Set<object>();
    // Nothing in it may occur twice: that would be something else.
    const isOnce = (node: object): boolean => envelope.includes(node) || (!seen.has(node) && seen.add(node) && isPlainNode(node));
    return known.isOf(instance ?? item, isOnce) ? known.bytes : undefined;
  }

  /** @param bytes of its element, which have to stay as they are: the kind, and the tree as MessagePack */
  keep(item: unknown, bytes: Uint8Array): void {
    if (typeof item === "object" && item !== null) this.#known.set(item, new Packed(bytes, 1));
  }
}

function isPlainNode(node: object): boolean {
  if (isPlainArray(node)) return Object.keys(node).length === node.length;
  return isPlain(node) && !isMarked(node) && Object.getOwnPropertySymbols(node).length === 0;
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}
