/** Writes reach the engine in the order of their calls, though preparing one may take longer than another. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Calls `act` once `prepared` is there and all earlier turns have come. */
  take<P, R>(prepared: P | Promise<P>, act: (prepared: P) => Promise<R>): Promise<R> {
    const turn = Promise.all([prepared, this.#last]);
    this.#last = turn.then(ignore, ignore);
    return turn.then(([value]) => act(value));
  }

  /** Resolves when all turns so far have come. */
  async passed(): Promise<void> {
    await this.#last;
  }
}

function ignore(): void {}
