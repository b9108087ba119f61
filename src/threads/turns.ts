/** Writes reach the engine in the order of their calls, though preparing one may take longer than another. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  readonly #acts = new Set<Promise<unknown>>();

  /** Calls `act` once `prepared` is there and all earlier turns have come. */
  take<P, R>(prepared: P | Promise<P>, act: (prepared: P) => Promise<R>): Promise<R> {
    const turn = Promise.all([prepared, this.#last]);
    this.#last = Promise.allSettled([prepared, this.#last]);
    const acting = turn.then(([value]) => act(value));
    this.#acts.add(acting);
    acting.then(ignore, ignore).finally(() => this.#acts.delete(acting));
    return acting;
  }

  /** Resolves when all acts so far have ended, well or not. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#acts);
  }
}

function ignore(): void {}
