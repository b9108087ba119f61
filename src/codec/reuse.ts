import { packr } from "../msgpack/index.ts";
import { isPlainArray } from "./lower.ts";
import { isMarked, MARK, Tag } from "./marks.ts";
import type { ValueTypes } from "./value-type.ts";

interface Known {
  /** The kind, and the tree as MessagePack. */
  readonly bytes: Uint8Array;
  /** What the item held then, once it was asked for: plain data that nobody else has. */
  content?: unknown;
}

/**
 * The bytes of items that were encoded or decoded before, as long as the application holds on to them: so a list that is given
 * again and again is not encoded again and again. That it is the same object says nothing, since it may have been changed
 * in place: what it holds now is compared with what it held then, all the way down, and only plain data is ever found equal.
 */
export class Reuse {
  readonly #types: ValueTypes;
  readonly #known = new WeakMap<object, Known>();

  constructor(types: ValueTypes) {
    this.#types = types;
  }

  /** The bytes of an item, if it still holds the same. */
  find(item: unknown): Uint8Array | undefined {
    if (typeof item !== "object" || item === null) return undefined;
    const known = this.#known.get(item);
    if (known === undefined) return undefined;
    if (known.content === undefined) {
      const tree = packr.unpack(known.bytes.subarray(1));
      if (!isReusable(tree)) {
        this.#known.delete(item);
        return undefined;
      }
      known.content = contentOf(tree);
    }
    const type = isPlain(item) || isPlainArray(item) ? undefined : this.#types.of(item);
    const content = type === undefined ? item : type.encode(item);
    return holds(content, known.content, new Set()) ? known.bytes : undefined;
  }

  /** @param bytes of its element, which have to stay as they are */
  keep(item: unknown, bytes: Uint8Array): void {
    if (typeof item === "object" && item !== null) this.#known.set(item, { bytes });
  }
}

/** Whether a tree is an object of plain data, or an instance whose fields are. */
export function isReusable(tree: unknown): boolean {
  return typeof tree === "object" && tree !== null && isPlainTree(contentOf(tree));
}

function contentOf(tree: unknown): unknown {
  return typeof tree === "object" && tree !== null && isMarked(tree) && tree[MARK][0] === Tag.instance ? tree[MARK][2] : tree;
}

function isPlainTree(tree: unknown): boolean {
  if (typeof tree !== "object" || tree === null) return true;
  if (Array.isArray(tree)) return tree.every(isPlainTree);
  return isPlain(tree) && !isMarked(tree) && Object.keys(tree).every((key) => isPlainTree((tree as Record<string, unknown>)[key]));
}

/** Whether a value, which may be anything, is just this plain data. Nothing in it may occur twice: that would be something else. */
function holds(value: unknown, content: unknown, seen: Set<object>): boolean {
  if (typeof value !== "object" || value === null) return Object.is(value, content);
  if (typeof content !== "object" || content === null || seen.has(value)) return false;
  seen.add(value);
  if (isPlainArray(value)) {
    if (!Array.isArray(content) || value.length !== content.length || Object.keys(value).length !== value.length) return false;
    return value.every((item, index) => holds(item, content[index], seen));
  }
  if (!isPlain(value) || Array.isArray(content) || Object.getOwnPropertySymbols(value).length > 0) return false;
  const [keys, known] = [Object.keys(value), Object.keys(content)];
  return (
    keys.length === known.length &&
    keys.every((key, at) => key === known[at] && holds((value as Record<string, unknown>)[key], (content as Record<string, unknown>)[key], seen))
  );
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}
