/** Who wants to be told of what happens, by the name of the event. */
export class Listeners<Events extends object> {
  readonly #listeners = new Map<PropertyKey, Set<(event: never) => void>>();

  on<Type extends keyof Events>(type: Type, listener: (event: Events[Type]) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners);
    // Each call is one of its own, also of a function that listens already.
    const called = (event: Events[Type]) => listener(event);
    listeners.add(called);
    return () => void listeners.delete(called);
  }

  clear(): void {
    this.#listeners.clear();
  }

  has(type: keyof Events): boolean {
    return (this.#listeners.get(type)?.size ?? 0) > 0;
  }

  /** An error of a listener is reported as an uncaught one, as that of an event's, and stops nobody else. */
  tell<Type extends keyof Events>(type: Type, event: Events[Type]): void {
    for (const listener of this.#listeners.get(type) ?? []) queueMicrotask(() => (listener as (event: Events[Type]) => void)(event));
  }
}
