/** Disposes what it was given, the last first. Node 20 has no `AsyncDisposableStack`. */
export class Disposables implements AsyncDisposable {
  readonly #held: AsyncDisposable[] = [];

  use<T extends AsyncDisposable>(disposable: T): T {
    this.#held.push(disposable);
    return disposable;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const disposable of this.#held.reverse()) await disposable[Symbol.asyncDispose]();
  }
}
