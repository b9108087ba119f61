import { setTimeout } from "node:timers/promises";
import type { Case } from "../page/bench.ts";
import type { StoreSize } from "../page/rows.ts";
import type { Browser, Tab } from "./browser.ts";
import { serve, type Server } from "./serve.ts";

/** What was seen of one case in one run; times in ms, in the order they were taken. */
export interface Measured extends Case {
  readonly turnTimes: readonly number[];
  readonly warmReads: readonly number[];
  /**
   * On fresh pages: soon after the last one closed the database, and when the browser has closed it too. A saver that keeps nothing has
   * only the former, of an empty thread: what LangGraph alone takes.
   */
  readonly reloadReads: readonly number[];
  readonly coldReads: readonly number[];
  /** Just after the measured turns, and after the reads: by then the browser has opened the database anew and tidied its log. */
  readonly diskBytes: number | undefined;
  readonly tidiedDiskBytes: number | undefined;
  readonly stores: readonly StoreSize[];
}

const chunks = 10;
/**
 * Turns that are not measured, between writing and reading: a delta channel of any frequency in the plan would have its snapshot
 * just at the end of 100 or of 500 turns, and reading would always meet the best case.
 */
const turnsBetween = 23;
const warmRounds = 3;
const warmReadsPerRound = 5;
const coldRounds = 5;

/** Chromium keeps a database open for two seconds after the last page has closed it, then opening it means reading its log. */
const closedAfterMs = 3000;

/**
 * Measures cases of one length side by side: each has an origin and a page of its own, and they take turns, a chunk at a time, forwards and
 * then backwards, so that whatever else the machine does meets them all.
 */
export async function measureTogether(browser: Browser, folder: string, cases: readonly Case[], { reopen }: { reopen: boolean }): Promise<Measured[]> {
  const lanes = await Promise.all(cases.map(async (measured) => new Lane(browser, await serve(folder), measured)));
  try {
    for (const lane of lanes) await lane.start();
    for (let chunk = 0; chunk < chunks; chunk += 1) for (const lane of swing(lanes, chunk)) await lane.write();
    if (reopen) await Promise.all(lanes.map((lane) => lane.weigh()));
    for (const lane of lanes) await lane.writeOn();
    for (let round = 0; round < warmRounds; round += 1) for (const lane of swing(lanes, round)) await lane.readWarm();
    for (const lane of lanes) await lane.stop();
    if (!reopen) return lanes.map((lane) => lane.measured());
    // In one order, so that the others' reads are each one's wait for the browser to close its database.
    for (let round = 0; round < coldRounds; round += 1) for (const lane of lanes) await lane.readCold();
    await Promise.all(lanes.map((lane) => lane.weighAgain()));
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
  readonly #reloadReads: number[] = [];
  readonly #coldReads: number[] = [];
  #closedAt = 0;
  #tab: Tab | undefined;
  #diskBytes: number | undefined;
  #tidiedDiskBytes: number | undefined;
  #stores: readonly StoreSize[] = [];

  constructor(browser: Browser, server: Server, measured: Case) {
    this.#browser = browser;
    this.#server = server;
    this.#case = measured;
  }

  get #persists(): boolean {
    return this.#case.saver !== "memory";
  }

  /** The thread as it is when it is read. */
  get #read(): Case {
    return { ...this.#case, turns: this.#case.turns + turnsBetween };
  }

  get #open(): Tab {
    if (this.#tab === undefined) throw new Error("the page is not open");
    return this.#tab;
  }

  async start(): Promise<void> {
    this.#tab = await this.#browser.open(this.#server.origin);
    await this.#tab.call("start", this.#read);
  }

  async write(): Promise<void> {
    this.#turnTimes.push(...(await this.#open.call("turns", this.#case.turns / chunks)));
  }

  async weigh(): Promise<void> {
    if (!this.#persists) {
      this.#stores = await this.#open.call("stores");
      return;
    }
    await using tab = await this.#browser.open(this.#server.origin);
    this.#diskBytes = await tab.call("usage");
    this.#stores = await tab.call("stores");
  }

  async weighAgain(): Promise<void> {
    if (!this.#persists) return;
    await using tab = await this.#browser.open(this.#server.origin);
    this.#tidiedDiskBytes = await tab.call("usage");
  }

  async writeOn(): Promise<void> {
    await this.#open.call("turns", turnsBetween);
  }

  async readWarm(): Promise<void> {
    this.#warmReads.push(...(await this.#open.call("warmReads", warmReadsPerRound)));
  }

  async stop(): Promise<void> {
    await this.#open.call("close");
    await this.#open[Symbol.asyncDispose]();
    this.#tab = undefined;
    this.#closedAt = performance.now();
  }

  async readCold(): Promise<void> {
    if (this.#persists) {
      await setTimeout(Math.max(0, this.#closedAt + closedAfterMs - performance.now()));
      this.#coldReads.push(await this.#readOnFreshPage());
    }
    this.#reloadReads.push(await this.#readOnFreshPage());
  }

  async #readOnFreshPage(): Promise<number> {
    await using tab = await this.#browser.open(this.#server.origin);
    const time = await tab.call("coldRead", this.#read);
    await tab.call("close");
    this.#closedAt = performance.now();
    return time;
  }

  measured(): Measured {
    return {
      ...this.#case,
      turnTimes: this.#turnTimes,
      warmReads: this.#warmReads,
      reloadReads: this.#reloadReads,
      coldReads: this.#coldReads,
      diskBytes: this.#diskBytes,
      tidiedDiskBytes: this.#tidiedDiskBytes,
      stores: this.#stores,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tab?.[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
  }
}
