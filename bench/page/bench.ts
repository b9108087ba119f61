import type { BaseMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph/web";
import { contentBytes, transcript } from "./conversation.ts";
import { memorySizes } from "./memory.ts";
import { storeSizes, type StoreSize } from "./rows.ts";
import { databaseName, openSaver, type SaverName } from "./savers.ts";
import { type Tallies, type Tally, traceCalls, traceRequests } from "./trace.ts";
import { assertSame, type Chat, openChat, type Workload } from "./workload.ts";

/** One cell of the tables: which saver, over which workload, how long. */
export interface Case {
  readonly saver: SaverName;
  readonly workload: Workload;
  readonly turns: number;
}

/** What the driver may ask of a page. All times are milliseconds. */
export class Bench {
  #saver: ReturnType<typeof openSaver> | undefined;
  #chat: Chat | undefined;
  #script: readonly BaseMessage[] = [];
  #said = 0;
  #traced: Tallies | undefined;

  /** Opens the saver and the graph, and makes all content; nothing is timed. */
  start({ saver, workload, turns }: Case): void {
    this.#saver = openSaver(saver);
    this.#script = transcript(turns);
    this.#chat = openChat(workload, this.#saver, this.#script);
  }

  /** Runs the next `count` turns and gives the time of each. */
  async turns(count: number): Promise<number[]> {
    const times: number[] = [];
    for (let i = 0; i < count; i += 1) {
      const before = performance.now();
      await this.#started().turn(this.#said);
      times.push(performance.now() - before);
      this.#said += 1;
    }
    return times;
  }

  /** Reads the newest state `count` times with everything open, and checks it. */
  async warmReads(count: number): Promise<number[]> {
    const expected = this.#script.slice(0, 2 * this.#said);
    const times: number[] = [];
    for (let i = 0; i < count; i += 1) {
      const before = performance.now();
      const messages = await this.#started().messages();
      times.push(performance.now() - before);
      assertSame(messages, expected);
    }
    return times;
  }

  /** On a fresh page: from the construction of the saver to the newest state, checked. `MemorySaver` finds an empty thread. */
  async coldRead({ saver, workload, turns }: Case): Promise<number> {
    const before = performance.now();
    this.#saver = openSaver(saver);
    const messages = await openChat(workload, this.#saver, []).messages();
    const time = performance.now() - before;
    assertSame(messages, transcript(saver === "memory" ? 0 : turns));
    return time;
  }

  async close(): Promise<void> {
    await this.#saver?.close?.();
    this.#saver = undefined;
    this.#chat = undefined;
  }

  /** Every store's rows: of this page's `MemorySaver` if it has one open, else of the database. */
  stores(): StoreSize[] | Promise<StoreSize[]> {
    return this.#saver instanceof MemorySaver ? memorySizes(this.#saver) : storeSizes(databaseName);
  }

  contentBytes(turns: number): number {
    return contentBytes(transcript(turns));
  }

  /** The origin's bytes by `navigator.storage.estimate()`, once they have stood still for a second. */
  async usage(): Promise<number> {
    let [usage, still] = [-1, 0];
    for (let asked = 0; asked < 100 && still < 5; asked += 1) {
      const now = (await navigator.storage.estimate()).usage ?? 0;
      still = now === usage ? still + 1 : 0;
      usage = now;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return usage;
  }

  /** From now on, count the graph's calls of the saver, or the requests to IndexedDB: for the profile, never in a timed run. */
  trace(what: "calls" | "requests"): void {
    if (this.#saver === undefined) throw new Error("start() comes first");
    this.#traced = what === "calls" ? traceCalls(this.#saver) : traceRequests();
  }

  traced(): Tally[] {
    return this.#traced?.take() ?? [];
  }

  #started(): Chat {
    if (this.#chat === undefined) throw new Error("start() comes first");
    return this.#chat;
  }
}

declare global {
  interface Window {
    bench: Bench;
  }
}

window.bench = new Bench();
