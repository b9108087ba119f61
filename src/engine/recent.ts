/** A map that forgets what was set longest ago beyond a number of entries, and knows about how much memory the others take. */
export class Recent<K, V> {
  readonly #entries = new Map<K, { readonly value: V; readonly bytes: number }>();
  readonly #limit: number;
  readonly #sizeOf: (value: V) => number;
  /** About what the values take. */
  bytes = 0;

  /** @param sizeOf about the bytes that a value takes, when it is set */
  constructor(limit: number, sizeOf: (value: V) => number) {
    this.#limit = limit;
    this.#sizeOf = sizeOf;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Gives the key that was forgotten for it. */
  set(key: K, value: V): K | undefined {
    this.delete(key);
    const bytes = this.#sizeOf(value);
    this.#entries.set(key, { value, bytes });
    this.bytes += bytes;
    if (this.#entries.size <= this.#limit) return undefined;
    const oldest = this.#entries.keys().next().value as K;
    this.delete(oldest);
    return oldest;
  }

  delete(key: K): void {
    this.bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.bytes = 0;
  }

  *values(): Generator<V> {
    for (const { value } of this.#entries.values()) yield value;
  }
}
