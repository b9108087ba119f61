/** A map that forgets what was set longest ago beyond a number of entries. */
export class Recent<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Gives the key that was forgotten for it. */
  set(key: K, value: V): K | undefined {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#limit) return undefined;
    const oldest = this.#entries.keys().next().value as K;
    this.#entries.delete(oldest);
    return oldest;
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  values(): Iterable<V> {
    return this.#entries.values();
  }
}
