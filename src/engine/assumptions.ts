/**
 * What a write takes for granted from memory, while the requests that would contradict are under way: so it need not wait
 * for their answers before it makes its own requests. Before the commit all have to have held; if one has not, the
 * transaction is aborted, and made again with no assumptions allowed.
 */
export class Assumptions {
  readonly allowed: boolean;
  readonly #checks: Promise<boolean>[] = [];

  constructor(allowed: boolean) {
    this.allowed = allowed;
  }

  assume(check: Promise<boolean>): void {
    check.catch(() => undefined); // A transaction that fails for another reason leaves nobody to wait for it.
    this.#checks.push(check);
  }

  async held(): Promise<boolean> {
    return (await Promise.all(this.#checks)).every(Boolean);
  }
}
