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

/** Gathers elements, which have to stay as they are until they are put behind one another. */
export class Elements {
  readonly #elements: Uint8Array[] = [];
  #size = 0;

  add(element: Uint8Array): void {
    this.#elements.push(element);
    this.#size += element.length;
  }

  /** Adds an element of some kind, and gives it. */
  addContent(kind: number, content: Uint8Array): Uint8Array {
    const element = new Uint8Array(1 + content.length);
    element[0] = kind;
    element.set(content, 1);
    this.add(element);
    return element;
  }

  /** The bytes are a buffer of their own, so that they can be transferred. */
  encoded(shape: number): Encoded {
    const bytes = new Uint8Array(this.#size);
    const ends = new Uint32Array(this.#elements.length);
    let end = 0;
    for (const [index, element] of this.#elements.entries()) {
      bytes.set(element, end);
      ends[index] = end += element.length;
    }
    return { shape, bytes, ends };
  }
}
