import { type Counts, noCounts } from "../idb/counts.ts";
import type { Listeners } from "../worker/index.ts";

/** What one read cost, and where the time went. */
export interface ReadReport {
  /**
   * What was asked: of the saver, or of a thread; `values` reads a `state`. `list` and `history` read page by page, and report
   * each page, `list` without decoding, which it does item by item.
   */
  readonly method: "getTuple" | "list" | "getDeltaChannelHistory" | "state" | "slice" | "history";
  /** Absent for a list of all threads' checkpoints. */
  readonly thread?: string;
  /** Whether it was read in a worker. */
  readonly worker: boolean;
  /** Requests to IndexedDB. One, for the thread's revision, if everything was in memory; none if a read before brought it along. */
  readonly requests: number;
  /** Rows that the database gave, and their bytes. */
  readonly rows: number;
  readonly bytes: number;
  /**
   * Elements of content, items of lists above all, that what was read is made of, and how many of them were in memory already. Values of a
   * few bytes are in the rows that name them, and are no elements.
   */
  readonly elements: number;
  readonly remembered: number;
  /** Milliseconds by stage, which add up to `total`. */
  readonly ms: {
    /** In the database, waiting for its turn there and for the first opening included. */
    readonly storage: number;
    /** Making values of delta channels from what steps wrote, in the worker where it has the reducers. */
    readonly rebuild: number;
    /** To the worker and back, its start included. Zero without one. */
    readonly transfer: number;
    /** From bytes to values, on the caller's side, with the pauses that it makes for the page. */
    readonly decode: number;
    readonly total: number;
  };
}

/** Reports reads, if anybody listens: otherwise nothing is counted. */
export class Reads {
  readonly #listeners: Listeners<{ readonly read: ReadReport }>;
  readonly #isWorker: () => boolean;

  constructor(listeners: Listeners<{ readonly read: ReadReport }>, isWorker: () => boolean) {
    this.#listeners = listeners;
    this.#isWorker = isWorker;
  }

  async reported<T>(what: Pick<ReadReport, "method" | "thread">, read: (counts?: Counts) => Promise<T>): Promise<T> {
    if (!this.#listeners.has("read")) return read();
    const counts = noCounts();
    const began = performance.now();
    const result = await read(counts);
    const total = performance.now() - began;
    const { storage, rebuild, transfer, ...numbers } = counts;
    const decode = total - storage - rebuild - transfer;
    this.#listeners.tell("read", { ...what, worker: this.#isWorker(), ...numbers, ms: { storage, rebuild, transfer, decode, total } });
    return result;
  }
}
