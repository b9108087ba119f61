/** Values kept in memory so that they are not rebuilt again. */
export const CACHE_BYTES = 16 * 1024 * 1024;

/** A channel's value at a checkpoint, kept so that it is not rebuilt again. It is shared: nobody changes it. */
export interface KnownValue {
  readonly value: unknown;
  /** About what it takes. */
  readonly bytes: number;
  /** The checkpoint holds it as a list of elements. */
  readonly isList: boolean;
}

/** Values by checkpoint, within a bound; the least recently used go first. A checkpoint never changes, so they stay right. */
export class StateCache {
  readonly #limit: number;
  readonly #values = new Map<string, KnownValue>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): KnownValue | undefined {
    const known = this.#values.get(key);
    if (known === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, known);
    return known;
  }

  set(key: string, known: KnownValue): void {
    this.#remove(key);
    if (known.bytes > this.#limit) return;
    this.#values.set(key, known);
    this.#bytes += known.bytes;
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#limit) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#values.get(key)?.bytes ?? 0;
    this.#values.delete(key);
  }
}
