import { CheckpointError } from "../errors/index.ts";
import type { ThreadId, Writing } from "../idb/index.ts";
import type { Assumptions } from "./assumptions.ts";
import type { Change } from "./changes.ts";
import type { ThreadState } from "./thread.ts";
import type { Durability } from "./types.ts";

/** One thing to do in a transaction of its own or in one that it shares. */
export interface Operation {
  readonly thread: ThreadId;
  readonly durability: Durability;
  /** What it does, for those who watch. */
  readonly change: Change;
  /** Makes the thread if there is none; otherwise there is nothing to do then. */
  readonly begins: boolean;
  /** It keeps the thread in order, and does not count as a use of it. */
  readonly isUpkeep?: boolean;
  run(tx: Writing, state: ThreadState, assumptions: Assumptions): Promise<void>;
}

interface Waiting extends Operation {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** What goes into one transaction, in order. */
export interface Batch {
  readonly operations: readonly Operation[];
  /** Takes in, and gives, what was asked since: for as long as the transaction is not committed. */
  join(): readonly Operation[];
}

/** Operations to one transaction. */
const BATCH = 64;

/** Whether a failure may pass: the browser, not the data or the disk, is the reason. */
export function isPassing(error: unknown): boolean {
  return CheckpointError.is(error) && error.code === "transaction-failed";
}

/** Something holds the database: whoever waits would wait as long again. */
function isStuck(error: unknown): boolean {
  return CheckpointError.is(error) && error.code === "timeout";
}

/**
 * Writes in order, in as few transactions as there is time for: what is asked while one is under way joins it, or, once it is
 * being committed, goes together into the next. If one fails, each operation is tried alone, so that one does not take its
 * neighbours down; one that was alone already is tried once more if the reason may have passed. Every operation can be run twice: nothing is left of a failed transaction.
 */
export class WriteQueue {
  readonly #commit: (batch: Batch) => Promise<void>;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #inFlight: Promise<void> | undefined;

  constructor(commit: (batch: Batch) => Promise<void>) {
    this.#commit = commit;
  }

  add(operation: Operation): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...operation, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Settles, never with an error, when the transaction that is under way has ended. */
  get inFlight(): Promise<void> | undefined {
    return this.#inFlight;
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    await Promise.resolve(); // Who asks in the same moment shares the first transaction too.
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      try {
        await this.#once({ operations: batch, join: () => this.#join(batch) });
        for (const { resolve } of batch) resolve();
      } catch (error) {
        const again = !isStuck(error) && (batch.length > 1 || isPassing(error));
        for (const each of batch) {
          if (again) await this.#alone(each);
          else each.reject(error);
        }
      }
    }
    this.#running = undefined;
  }

  async #alone(operation: Waiting): Promise<void> {
    await this.#once({ operations: [operation], join: () => [] }).then(operation.resolve, operation.reject);
  }

  /** What is to be flushed to the disk does not go along with what is not. */
  #join(batch: Waiting[]): readonly Waiting[] {
    const isStrict = batch.some(({ durability }) => durability === "strict");
    const stays = this.#waiting.findIndex(({ durability }) => durability === "strict" && !isStrict);
    const joining = this.#waiting.splice(0, Math.min(BATCH - batch.length, stays < 0 ? BATCH : stays));
    batch.push(...joining);
    return joining;
  }

  #once(batch: Batch): Promise<void> {
    const committing = this.#commit(batch);
    const ended = () => {
      this.#inFlight = undefined;
    };
    this.#inFlight = committing.then(ended, ended);
    return committing;
  }
}
