import { isPacked } from "../msgpack/index.ts";
import { isPlainArray } from "./lower.ts";
import { isMarked, mark, Tag } from "./marks.ts";
import type { ValueTypes } from "./value-type.ts";

/**
 * The bytes of items that were encoded or decoded before, as long as the application holds on to them: so a list that is given
 * again and again is not encoded again and again. That it is the same object says nothing, since it may have been changed
 * in place: what it holds now is compared with the bytes, all the way down, and only plain data is ever found equal.
 */
export class Reuse {
  readonly #types: ValueTypes;
  readonly #known = new WeakMap<object, Uint8Array>();

  constructor(types: ValueTypes) {
    this.#types = types;
  }

  /** The bytes of an item, if it still holds the same. */
  find(item: unknown): Uint8Array | undefined {
    if (typeof item !== "object" || item === null) return undefined;
    const bytes = this.#known.get(item);
    if (bytes === undefined) return undefined;
    const type = isPlain(item) || isPlainArray(item) ? undefined : this.#types.of(item);
    const instance = type && mark(Tag.instance, type.name, type.encode(item));
    const seen = new Set<object>();
    // Nothing in it may occur twice: that would be something else.
    const isOnce = (node: object): boolean => node === instance || (!seen.has(node) && seen.add(node) && isPlainNode(node));
    return isPacked(instance ?? item, bytes, 1, isOnce) ? bytes : undefined;
  }

  /** @param bytes of its element, which have to stay as they are: the kind, and the tree as MessagePack */
  keep(item: unknown, bytes: Uint8Array): void {
    if (typeof item === "object" && item !== null) this.#known.set(item, bytes);
  }
}

function isPlainNode(node: object): boolean {
  if (isPlainArray(node)) return Object.keys(node).length === node.length;
  return isPlain(node) && !isMarked(node) && Object.getOwnPropertySymbols(node).length === 0;
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}
