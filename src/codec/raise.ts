import { DamagedError, UnknownTypeError } from "../errors/index.ts";
import { raiseBuiltIn } from "./built-ins.ts";
import { isMarked, type Mark, MARK, Tag } from "./marks.ts";
import type { ValueTypes } from "./value-type.ts";

/** Turns a tree with marks back into the value. Plain objects and arrays of the tree become those of the value. */
export function raise(tree: unknown, types: ValueTypes): unknown {
  return new Raising(types).any(tree, undefined);
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

  #marked(content: readonly [number, ...unknown[]], label: number | undefined): unknown {
    const [tag, first, second] = content;
    switch (tag) {
      case Tag.undefined:
        return undefined;
      case Tag.negativeZero:
        return -0;
      case Tag.bigint:
        return BigInt(first as string);
      case Tag.text:
        return fromUtf16(first as Uint8Array);
      case Tag.label:
        return this.any(second, first as number);
      case Tag.same:
        return this.#labels?.get(first as number);
      case Tag.entries:
        return this.#entries({}, first as unknown[], label);
      case Tag.bare:
        return this.#entries(Object.create(null) as object, first as unknown[], label);
      case Tag.instance: {
        const type = this.#types.named(first as string);
        if (type === undefined) throw new UnknownTypeError({ type: String(first) });
        return this.#remember(label, type.decode(this.any(second, undefined)));
      }
      default: {
        const made = raiseBuiltIn(content, (value) => this.any(value, undefined));
        if (made === undefined) throw new DamagedError({ store: "content", key: `mark ${String(tag)}` });
        this.#remember(label, made.value);
        made.fill?.();
        return made.value;
      }
    }
  }

  #entries(target: object, flat: readonly unknown[], label: number | undefined): object {
    this.#remember(label, target);
    for (let at = 0; at < flat.length; at += 2) {
      Object.defineProperty(target, this.any(flat[at], undefined) as string, {
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

function fromUtf16(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 2) text += String.fromCharCode(bytes[at]! | (bytes[at + 1]! << 8));
  return text;
}
