import { CheckpointError } from "../errors/index.ts";
import type { ThreadId, Writing } from "../idb/index.ts";
import type { ThreadState } from "./thread.ts";
import type { Durability } from "./types.ts";

/** One thing to do in a transaction of its own or in one that it shares. */
export interface Operation {
  readonly thread: ThreadId;
  readonly durability: Durability;
  /** Makes the thread if there is none; otherwise there is nothing to do then. */
  readonly begins: boolean;
  run(tx: Writing, state: ThreadState): Promise<void>;
}

interface Waiting extends Operation {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Operations to one transaction. */
const BATCH = 64;

/** Failures that may pass: the ones where the browser, not the data or the disk, is the reason. */
const TRANSIENT = new Set(["transaction-failed", "timeout"]);

/**
 * Writes in order, in as few transactions as there is time for: what is asked while one is in flight goes together into the
 * next. If that fails, each is tried alone, so that one does not take its neighbours down; one that was alone already is
 * tried once more if the reason may have passed. Every operation can be run twice: nothing is left of a failed transaction.
 */
export class WriteQueue {
  readonly #commit: (operations: readonly Operation[]) => Promise<void>;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(commit: (operations: readonly Operation[]) => Promise<void>) {
    this.#commit = commit;
  }

  add(operation: Operation): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...operation, resolve, reject });
      this.#running ??= this.#run().finally(() => {
        this.#running = undefined;
      });
    });
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      try {
        await this.#commit(batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        const [only] = batch;
        if (batch.length > 1) for (const each of batch) await this.#alone(each);
        else if (CheckpointError.is(error) && TRANSIENT.has(error.code)) await this.#alone(only!);
        else only!.reject(error);
      }
    }
  }

  async #alone(operation: Waiting): Promise<void> {
    await this.#commit([operation]).then(operation.resolve, operation.reject);
  }
}
