import fc from "fast-check";
import { IndexedDBSaver } from "../../src/index.ts";
import { checkpointId } from "../../test/support/checkpoints.ts";
import { RecordedThread, step } from "../../test/support/recorded-thread.ts";

/* What runs in the browser that is killed: two writers, each with a worker, on two threads of one database. */

const steps = fc.sample(step, { seed: 11, numRuns: 2_000 });

class Writer {
  readonly #saver = new IndexedDBSaver({ name: "killed", worker: () => new Worker("/host.js", { type: "module" }) });
  readonly #number: number;
  readonly #thread: RecordedThread;
  #done = 0;

  constructor(number: number) {
    this.#number = number;
    this.#thread = new RecordedThread(`thread ${number}`, number === 0);
  }

  /** Goes through what earlier lives stored, and says how many steps that are. Fails if any of it is not what was put. */
  async resume(): Promise<number> {
    const newest = await this.#saver.getTuple({ configurable: { thread_id: this.#thread.id } });
    while (newest !== undefined && checkpointId(this.#done) !== newest.checkpoint.id) this.#thread.recall(steps[this.#done++]!);
    await this.#thread.check(this.#saver);
    return this.#done;
  }

  /** Writes until the end of the world. */
  async write(): Promise<void> {
    for (const each of steps.slice(this.#done)) {
      await this.#thread.put(this.#saver, each);
      this.#done += 1;
      void fetch(`/acknowledged/${this.#number}/${this.#done}`, { method: "POST" });
    }
  }
}

const writers = [new Writer(0), new Writer(1)];

declare global {
  /** For the test outside. */
  var resume: () => Promise<number[]>;
  var write: () => void;
}

globalThis.resume = () => Promise.all(writers.map((writer) => writer.resume()));
globalThis.write = () => {
  for (const writer of writers) void writer.write();
};
