import fc from "fast-check";
import { IndexedDBSaver } from "../../src/index.ts";
import { checkpointId } from "../../test/support/checkpoints.ts";
import { RecordedThread, step } from "../../test/support/recorded-thread.ts";

/* What runs in each of two tabs of the browser that is killed: a writer, on a thread of its own in the database of both. */

const steps = fc.sample(step, { seed: 11, numRuns: 2_000 });

class Writer {
  readonly #saver = new IndexedDBSaver({ name: "killed", worker: () => new Worker("/host.js", { type: "module" }) });
  readonly #number: number;
  /** The first step that may have to be done again. */
  #next = 0;

  constructor(number: number) {
    this.#number = number;
  }

  /** Goes through what earlier lives stored, and says how many checkpoints that are. Fails if any of it is not what was put. */
  async resume(): Promise<number> {
    const { id } = this.#recalled(0);
    const newest = (await this.#saver.getTuple({ configurable: { thread_id: id } }))?.checkpoint.id;
    const count = newest === undefined ? 0 : 1 + steps.findIndex((_, index) => checkpointId(index + 1) === newest);
    this.#next = Math.max(0, count - 1);

    const thread = this.#recalled(this.#next);
    if (count > 0) thread.recall(steps[count - 1]!, "its checkpoint");
    thread.recall(steps[count]!, "nothing");
    await thread.check(this.#saver);
    const [problem] = (await this.#saver.verify()).problems;
    if (problem !== undefined) throw new Error(JSON.stringify(problem));
    return count;
  }

  /** Writes until the end of the world. */
  async write(): Promise<void> {
    const thread = this.#recalled(this.#next);
    for (const each of steps.slice(this.#next)) {
      await thread.put(this.#saver, each);
      this.#next += 1;
      void fetch(`/acknowledged/${this.#number}/${this.#next}`, { method: "POST" });
    }
  }

  #recalled(count: number): RecordedThread {
    const thread = new RecordedThread(`thread ${this.#number}`, this.#number === 0);
    for (const each of steps.slice(0, count)) thread.recall(each, "all of it");
    return thread;
  }
}

const writer = new Writer(Number(new URLSearchParams(location.search).get("writer")));

declare global {
  /** For the test outside. */
  var resume: () => Promise<number>;
  var write: () => void;
}

globalThis.resume = () => writer.resume();
globalThis.write = () => void writer.write();
