import type { Case } from "../page/bench.ts";
import type { StoreSize } from "../page/rows.ts";
import type { Browser, Tab } from "./browser.ts";
import { serve, type Server } from "./serve.ts";

/** What was seen of one case in one run; times in ms, in the order they were taken. */
export interface Measured extends Case {
  readonly turnTimes: readonly number[];
  readonly warmReads: readonly number[];
  /** Of a saver that keeps nothing over a reload: what LangGraph alone takes, for an empty thread. */
  readonly coldReads: readonly number[];
  readonly diskBytes: number | undefined;
  readonly stores: readonly StoreSize[];
}

const chunks = 10;
const warmRounds = 3;
const warmReadsPerRound = 5;
const coldRounds = 5;

/**
 * Measures cases of one length side by side: each has an origin and a page of its own, and they take turns, a chunk at a time, forwards and
 * then backwards, so that whatever else the machine does meets them all.
 */
export async function measureTogether(browser: Browser, folder: string, cases: readonly Case[], { weigh }: { weigh: boolean }): Promise<Measured[]> {
  const lanes = await Promise.all(cases.map(async (measured) => new Lane(browser, await serve(folder), measured)));
  try {
    for (const lane of lanes) await lane.start();
    for (let chunk = 0; chunk < chunks; chunk += 1) for (const lane of swing(lanes, chunk)) await lane.write();
    for (let round = 0; round < warmRounds; round += 1) for (const lane of swing(lanes, round)) await lane.readWarm();
    for (const lane of lanes) await lane.stop();
    for (let round = 0; round < coldRounds; round += 1) for (const lane of swing(lanes, round)) await lane.readCold();
    if (weigh) for (const lane of lanes) await lane.weigh();
    return lanes.map((lane) => lane.measured());
  } finally {
    for (const lane of lanes) await lane[Symbol.asyncDispose]();
  }
}

const swing = <T>(items: readonly T[], round: number): readonly T[] => (round % 2 === 0 ? items : items.toReversed());

/** One case on its own origin. */
class Lane implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #server: Server;
  readonly #case: Case;
  readonly #turnTimes: number[] = [];
  readonly #warmReads: number[] = [];
  readonly #coldReads: number[] = [];
  #tab: Tab | undefined;
  #diskBytes: number | undefined;
  #stores: readonly StoreSize[] = [];

  constructor(browser: Browser, server: Server, measured: Case) {
    this.#browser = browser;
    this.#server = server;
    this.#case = measured;
  }

  get #persists(): boolean {
    return this.#case.saver !== "memory";
  }

  get #open(): Tab {
    if (this.#tab === undefined) throw new Error("the page is not open");
    return this.#tab;
  }

  async start(): Promise<void> {
    this.#tab = await this.#browser.open(this.#server.origin);
    await this.#tab.call("start", this.#case);
  }

  async write(): Promise<void> {
    this.#turnTimes.push(...(await this.#open.call("turns", this.#case.turns / chunks)));
  }

  async readWarm(): Promise<void> {
    this.#warmReads.push(...(await this.#open.call("warmReads", warmReadsPerRound)));
  }

  async stop(): Promise<void> {
    if (!this.#persists) this.#stores = await this.#open.call("stores");
    await this.#open.call("close");
    await this.#open[Symbol.asyncDispose]();
    this.#tab = undefined;
  }

  async readCold(): Promise<void> {
    await using tab = await this.#browser.open(this.#server.origin);
    this.#coldReads.push(await tab.call("coldRead", this.#case));
    await tab.call("close");
  }

  async weigh(): Promise<void> {
    if (!this.#persists) return;
    await using tab = await this.#browser.open(this.#server.origin);
    this.#diskBytes = await tab.call("usage");
    this.#stores = await tab.call("stores");
  }

  measured(): Measured {
    return {
      ...this.#case,
      turnTimes: this.#turnTimes,
      warmReads: this.#warmReads,
      coldReads: this.#coldReads,
      diskBytes: this.#diskBytes,
      stores: this.#stores,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tab?.[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
  }
}
