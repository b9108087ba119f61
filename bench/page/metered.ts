import { Meter, sumOf, type Traffic } from "./meter.ts";

/** This page's traffic and that of the metered workers it started. */
export class PageMeter {
  readonly #page = Meter.install({ sizing: "when asked" });
  readonly #workers: BroadcastChannel[] = [];

  /** A name for a worker that imports metered-realm.ts. */
  workerName(): string {
    const name = crypto.randomUUID();
    this.#workers.push(new BroadcastChannel(name));
    return name;
  }

  size(): void {
    this.#page.size();
  }

  async take(): Promise<Traffic> {
    return sumOf([this.#page.take(), ...(await Promise.all(this.#workers.map(ask)))]);
  }
}

const ask = (worker: BroadcastChannel) =>
  new Promise<Traffic>((resolve) => {
    worker.addEventListener("message", ({ data }: MessageEvent<Traffic>) => resolve(data), { once: true });
    worker.postMessage("take");
  });
