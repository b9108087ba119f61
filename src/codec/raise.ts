import { UnknownTypeError } from "../errors/index.ts";
import { raiseBuiltIn } from "./built-ins.ts";
import { bytes, damageOf, entries, list, malformed, number, text } from "./malformed.ts";
import { isMarked, type Mark, MARK, MOST_DIGITS, Tag } from "./marks.ts";
import type { ValueType, ValueTypes } from "./value-type.ts";

/**
 * Turns a tree with marks back into the value. Plain objects and arrays of the tree become those of the value.
 *
 * @throws DamagedError for a tree that no value becomes, and what an application's type throws
 */
export function raise(tree: unknown, types: ValueTypes): unknown {
  try {
    return new Raising(types).any(tree, undefined);
  } catch (error) {
    throw error instanceof OfType ? error.error : damageOf(error);
  }
}

/** What an application's type threw: not for us to tell what it means. */
class OfType extends Error {
  readonly error: unknown;
  constructor(error: unknown) {
    super("thrown by a type");
    this.error = error;
  }
}

class Raising {
  readonly #types: ValueTypes;
  #labels: Map<number, unknown> | undefined;

  constructor(types: ValueTypes) {
    this.#types = types;
  }

  any(node: unknown, label: number | undefined): unknown {
    if (typeof node !== "object" || node === null || node instanceof Uint8Array) return this.#remember(label, node);
    if (Array.isArray(node)) return this.#array(node, label);
    const keys = Object.keys(node);
    if (keys.length === 1 && keys[0] === MARK) return this.#marked((node as Mark)[MARK], label);
    this.#remember(label, node);
    for (const key of keys) {
      const value = (node as Record<string, unknown>)[key];
      if (typeof value === "object" && value !== null) (node as Record<string, unknown>)[key] = this.any(value, undefined);
    }
    return node;
  }

  #array(node: unknown[], label: number | undefined): unknown[] {
    this.#remember(label, node);
    for (let index = 0; index < node.length; index++) {
      const value = node[index];
      if (typeof value !== "object" || value === null) continue;
      if (isHole(value)) Reflect.deleteProperty(node, index);
      else node[index] = this.any(value, undefined);
    }
    return node;
  }

  #marked(found: unknown, label: number | undefined): unknown {
    const content = list(found);
    const tag = content[0];
    const first = content[1];
    const second = content[2];
    switch (tag) {
      case Tag.undefined:
        return undefined;
      case Tag.negativeZero:
        return -0;
      case Tag.bigint:
        return bigint(text(first));
      case Tag.text:
        return fromUtf16(bytes(first));
      case Tag.label:
        return this.any(second, number(first));
      case Tag.same:
        if (this.#labels?.has(number(first)) !== true) throw malformed("a second place of an object that has no first");
        return this.#labels.get(number(first));
      case Tag.entries:
        return this.#entries({}, entries(first), label);
      case Tag.bare:
        return this.#entries(Object.create(null) as object, entries(first), label);
      case Tag.instance: {
        const type = this.#types.named(text(first));
        if (type === undefined) throw new UnknownTypeError({ type: text(first) });
        return this.#remember(label, instanceOf(type, this.any(second, undefined)));
      }
      default: {
        const made = raiseBuiltIn(number(tag), content.slice(1), (value) => this.any(value, undefined));
        if (made === undefined) throw malformed(`the mark ${number(tag)}`);
        this.#remember(label, made.value);
        made.fill?.();
        return made.value;
      }
    }
  }

  #entries(target: object, flat: readonly unknown[], label: number | undefined): object {
    this.#remember(label, target);
    for (let at = 0; at < flat.length; at += 2) {
      Object.defineProperty(target, text(this.any(flat[at], undefined)), {
        value: this.any(flat[at + 1], undefined),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return target;
  }

  #remember<T>(label: number | undefined, value: T): T {
    if (label !== undefined) (this.#labels ??= new Map()).set(label, value);
    return value;
  }
}

function isHole(value: object): boolean {
  return isMarked(value) && value[MARK][0] === Tag.hole;
}

function instanceOf(type: ValueType, fields: unknown): object {
  try {
    return type.decode(fields);
  } catch (error) {
    throw new OfType(error);
  }
}

function bigint(digits: string): bigint {
  if (digits.length <= MOST_DIGITS && /^-?\d+$/.test(digits)) return BigInt(digits);
  throw malformed("a text that is no bigint");
}

function fromUtf16(units: Uint8Array): string {
  if (units.length % 2 !== 0) throw malformed("half a character");
  let made = "";
  for (let at = 0; at < units.length; at += 2) made += String.fromCharCode(units[at]! | (units[at + 1]! << 8));
  return made;
}
