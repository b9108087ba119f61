import { Health, Listeners, type StorageEvents } from "../worker/index.ts";
import { type ReadReport, Reads } from "./reads.ts";

/** What a saver or a store tells those who listen. */
export interface StoreEvents extends StorageEvents {
  /** Something was read. */
  readonly read: ReadReport;
}

/** What happens at a saver or a store, and who is told. */
export class Events {
  readonly health: Health;
  readonly reads: Reads;
  readonly #listeners = new Listeners<StoreEvents>();

  /** @param isWorker whether reads are made in a worker */
  constructor(isWorker: () => boolean) {
    this.health = new Health(this.#listeners);
    this.reads = new Reads(this.#listeners, isWorker);
  }

  on<Type extends keyof StoreEvents>(type: Type, listener: (event: StoreEvents[Type]) => void): () => void {
    const end = this.#listeners.on(type, listener);
    if (type === "storage") this.health.lookAtSpace();
    return end;
  }

  close(): void {
    this.health.close();
    this.#listeners.clear();
  }
}
