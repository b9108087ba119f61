/** What the elements of a value make together. Part of the format on disk: added to, never changed. */
export const Shape = {
  /** One element: the value. The engine knows this one. */
  single: 0,
  /** An array: an element an item. */
  array: 1,
  /** A Map: an element an entry, `[key, value]`. */
  map: 2,
  /** A plain object with many keys: an element an entry. */
  record: 3,
} as const;

/** Added to a shape: the value is inside a `DeltaSnapshot`. */
export const SNAPSHOT = 8;

/** The first byte of an element: how the others are to be read. An element without any byte is a hole in an array. */
export const Kind = { plain: 0, marked: 1, serializer: 2 } as const;

/** A value as bytes: see the engine's type of the same name, to which this is structurally equal. */
export interface Encoded {
  readonly shape: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: readonly number[] | Uint32Array;
}

/** Elements behind one another: where each ends. */
export type ElementBytes = Pick<Encoded, "bytes"> & { readonly ends: ArrayLike<number> };

export function startOf({ ends }: ElementBytes, index: number): number {
  return index === 0 ? 0 : ends[index - 1]!;
}

export function elementAt(elements: ElementBytes, index: number): Uint8Array {
  return elements.bytes.subarray(startOf(elements, index), elements.ends[index]);
}

/** Gathers elements behind one another. */
export class Elements {
  #bytes = new Uint8Array(1024);
  #length = 0;
  readonly #ends: number[] = [];

  add(element: Uint8Array): void {
    const start = this.#length;
    this.#reserve(start + element.length);
    this.#bytes.set(element, start);
    this.#end(start + element.length);
  }

  /** Adds an element of some kind. */
  addContent(kind: number, content: Uint8Array): void {
    const start = this.#length + 1;
    this.#reserve(start + content.length);
    this.#bytes[start - 1] = kind;
    this.#bytes.set(content, start);
    this.#end(start + content.length);
  }

  /** The element that was added last, as bytes of its own. */
  last(): Uint8Array {
    return this.#bytes.slice(this.#ends.at(-2) ?? 0, this.#length);
  }

  /** The bytes are a buffer of their own, so that they can be transferred. */
  encoded(shape: number): Encoded {
    return { shape, bytes: this.#bytes.slice(0, this.#length), ends: Uint32Array.from(this.#ends) };
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }

  #end(length: number): void {
    this.#length = length;
    this.#ends.push(length);
  }
}
