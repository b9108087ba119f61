interface Waiting {
  /** Known when what is waited for is over. */
  end?: () => void;
  readonly fail: (reason: unknown) => void;
}

/**
 * Keeps a transaction going while something else than its requests is awaited: WebCrypto, say. A transaction ends when no
 * request of it is under way, and takes new ones only while the answer to one is being handled. So as long as somebody waits, one small request
 * follows another, and who waited goes on in the answer to one of them.
 */
export class Vigil {
  readonly #ask: () => Promise<unknown>;
  readonly #waiting = new Set<Waiting>();
  #isKept = false;

  constructor(ask: () => Promise<unknown>) {
    this.#ask = ask;
  }

  wait<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { fail: reject };
      work.then(
        (value) => (waiting.end = () => resolve(value)),
        (reason: unknown) => (waiting.end = () => waiting.fail(reason)),
      );
      this.#waiting.add(waiting);
      if (!this.#isKept) void this.#keep();
    });
  }

  async #keep(): Promise<void> {
    this.#isKept = true;
    try {
      while (this.#waiting.size > 0) {
        await this.#ask();
        for (const waiting of this.#waiting) {
          if (waiting.end === undefined) continue;
          this.#waiting.delete(waiting);
          waiting.end();
        }
      }
    } catch (error) {
      for (const { fail } of this.#waiting) fail(error);
      this.#waiting.clear();
    }
    this.#isKept = false;
  }
}
