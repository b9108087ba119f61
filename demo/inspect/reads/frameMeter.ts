/** Milliseconds from each frame of the page to the next, until it is stopped. */
export class FrameMeter {
  readonly #gaps: number[] = [];
  #last = performance.now();
  #request = requestAnimationFrame(() => this.#frame());

  #frame(): void {
    const now = performance.now();
    this.#gaps.push(now - this.#last);
    this.#last = now;
    this.#request = requestAnimationFrame(() => this.#frame());
  }

  /** What went by since the last frame counts too. */
  stop(): readonly number[] {
    cancelAnimationFrame(this.#request);
    return [...this.#gaps, performance.now() - this.#last];
  }
}

/** Resolves in a frame of its own, so that what comes before it is not counted. */
export const nextFrame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
