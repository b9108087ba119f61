import { DamagedError, UnknownTypeError } from "../errors/index.ts";
import { raiseBuiltIn } from "./built-ins.ts";
import { isMarked, MARK, Tag } from "./marks.ts";
import type { ValueTypes } from "./value-type.ts";

/** Turns a tree with marks back into the value. Plain objects and arrays of the tree become those of the value. */
export function raise(tree: unknown, types: ValueTypes): unknown {
  const labels = new Map<number, unknown>();
  return any(tree, undefined);

  function any(node: unknown, label: number | undefined): unknown {
    if (typeof node !== "object" || node === null || node instanceof Uint8Array) return remember(label, node);
    if (Array.isArray(node)) return array(node, label);
    if (isMarked(node)) return marked(node[MARK], label);
    remember(label, node);
    for (const key of Object.keys(node)) {
      const value = (node as Record<string, unknown>)[key];
      if (typeof value === "object" && value !== null) (node as Record<string, unknown>)[key] = any(value, undefined);
    }
    return node;
  }

  function array(node: unknown[], label: number | undefined): unknown[] {
    remember(label, node);
    for (let index = 0; index < node.length; index++) {
      const value = node[index];
      if (typeof value !== "object" || value === null) continue;
      if (isHole(value)) Reflect.deleteProperty(node, index);
      else node[index] = any(value, undefined);
    }
    return node;
  }

  function marked(content: readonly [number, ...unknown[]], label: number | undefined): unknown {
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
        return any(second, first as number);
      case Tag.same:
        return labels.get(first as number);
      case Tag.entries:
        return entries({}, first as unknown[], label);
      case Tag.bare:
        return entries(Object.create(null) as object, first as unknown[], label);
      case Tag.instance: {
        const type = types.named(first as string);
        if (type === undefined) throw new UnknownTypeError({ type: String(first) });
        return remember(label, type.decode(any(second, undefined)));
      }
      default: {
        const made = raiseBuiltIn(content, (value) => any(value, undefined));
        if (made === undefined) throw new DamagedError({ store: "content", key: `mark ${String(tag)}` });
        remember(label, made.value);
        made.fill?.();
        return made.value;
      }
    }
  }

  function entries(target: object, flat: readonly unknown[], label: number | undefined): object {
    remember(label, target);
    for (let at = 0; at < flat.length; at += 2) {
      Object.defineProperty(target, any(flat[at], undefined) as string, {
        value: any(flat[at + 1], undefined),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return target;
  }

  function remember<T>(label: number | undefined, value: T): T {
    if (label !== undefined) labels.set(label, value);
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
