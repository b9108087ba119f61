import fc from "fast-check";
import { IndexedDBSaver } from "../../src/index.ts";
import { checkpointId } from "../../test/support/checkpoints.ts";
import { RecordedThread, step } from "../../test/support/recorded-thread.ts";
import type { Order } from "./site.ts";
import { say, toldToGo } from "./voice.ts";

const steps = fc.sample(step, { seed: 11, numRuns: 800 });

/** One life of a page that writes to a thread of its own, in the database of all, until it is ended. */
class Life {
  readonly #saver = new IndexedDBSaver({ name: "killed", worker: () => new Worker("/host.js", { type: "module" }) });
  readonly #id: string;
  /** The first step that may have to be done again. */
  #next = 0;

  constructor(id: string) {
    this.#id = id;
  }

  /** Goes through what earlier lives stored, and says how many checkpoints that are. Fails if any of it is not what was put. */
  async resume(): Promise<number> {
    const newest = (await this.#saver.getTuple({ configurable: { thread_id: this.#id } }))?.checkpoint.id;
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

  /** Writes as fast as it can, and does what it is told in answer to what it says. */
  async write(): Promise<void> {
    const thread = this.#recalled(this.#next);
    for (const each of steps.slice(this.#next)) {
      await thread.put(this.#saver, each);
      this.#next += 1;
      void say("acknowledged", this.#next).then(obey);
    }
    throw new Error("there are no more steps");
  }

  #recalled(count: number): RecordedThread {
    const thread = new RecordedThread(this.#id, this.#id.startsWith("0"));
    for (const each of steps.slice(0, count)) thread.recall(each, "all of it");
    return thread;
  }
}

function obey(order: Order): void {
  if (order === "reload") location.reload();
  else if (order === "leave") location.assign("/away");
}

export async function live(id: string): Promise<void> {
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) void say("restored");
  });
  const life = new Life(id);
  await say("found", await life.resume());
  await toldToGo();
  await life.write();
}
