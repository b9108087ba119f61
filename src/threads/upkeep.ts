import { requirePolicy, type Retention } from "./retention.ts";
import type { Storage } from "./storage.ts";

/** A policy that is applied from the first use to the end. Its code is loaded with that use. */
export class Upkeep {
  readonly #retention: Retention;
  readonly #storage: Storage;
  readonly #end = new AbortController();
  #hasBegun = false;

  /** @throws InvalidConfigError */
  constructor(retention: Retention, storage: Storage) {
    requirePolicy(retention);
    this.#retention = retention;
    this.#storage = storage;
  }

  /** To be called at each use: the first one counts. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { onError = rejection } = this.#retention;
    import("./keep-up.ts").then(({ keepUp }) => keepUp(this.#retention, this.#storage, this.#end.signal)).catch(onError);
  }

  end(): void {
    this.#end.abort();
  }
}

/** Who gives no way to be told of an error is told by the page's own reporting. */
export function rejection(error: unknown): void {
  void Promise.resolve().then(() => {
    throw error;
  });
}
