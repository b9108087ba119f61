import { setTimeout } from "node:timers/promises";
import type { Case } from "../page/chat.ts";
import type { StoreSize } from "../page/rows.ts";
import type { SubjectName } from "../page/subjects.ts";
import type { Workload } from "../page/workload.ts";
import type { Browser, Tab } from "../driver/browser.ts";
import type { Site } from "../driver/measurement.ts";
import { serve, type Server } from "../driver/serve.ts";

/** What was seen of one case; times in the order they were taken. */
export interface Conversation extends Case {
  readonly turnTimes: readonly number[];
  readonly bytesWritten: number;
  readonly stores: readonly StoreSize[];
  readonly diskBytes: number | undefined;
  readonly warmReads: readonly number[];
  /** On fresh pages: soon after the last one closed the database, and when the browser has closed it too. */
  readonly reloadReads: readonly number[];
  readonly coldReads: readonly number[];
}

export const plain: Workload = { channel: "plain" };
export const every = (frequency: number): Workload => ({ channel: "delta", frequency });

type Kept = readonly [SubjectName, Workload | undefined];

const cases: readonly Kept[] = [
  ["memory", plain],
  ["memory", every(100)],
  ["full-copy", plain],
  ["sqlite", plain],
  ["keyval", undefined],
  ["keyval-messages", undefined],
  ["raw", undefined],
  ["raw-worker", undefined],
  ["inline", plain],
  ["worker", plain],
  ["worker", every(1)],
  ["worker", every(10)],
  ["worker", every(100)],
  ["worker", every(1000)],
];

const chunks = 10;
/**
 * Turns that are not measured, between writing and reading: a delta channel of any frequency here would have its snapshot
 * just at the end of 100 or of 500 turns, and reading would always meet the best case.
 */
const turnsBetween = 23;
const warmRounds = 3;
const warmReadsPerRound = 5;
const coldRounds = 5;
/** Chromium keeps a database open for two seconds after the last page has closed it, then opening it means reading its log. */
const closedAfterMs = 3000;

const seen = new WeakMap<Site, Promise<Conversation[]>>();

/** The conversations that disk, writing and reading are measured on: run once for the three. */
export function conversations(site: Site): Promise<Conversation[]> {
  const running = seen.get(site) ?? converseOnce(site);
  seen.set(site, running);
  return running;
}

async function converseOnce(site: Site): Promise<Conversation[]> {
  const { browser, folder, quick, selected, subjects } = site;
  const files = await hasPrivateFiles(browser, folder);
  const measured = cases.filter(([subject]) => (subject !== "sqlite" || files) && (subjects.size === 0 || subjects.has(subject)));
  return converse(site, measured, { turns: quick ? 100 : 500, reads: selected.has("read") });
}

/**
 * Each case has an origin and a page of its own, and they take turns, a chunk at a time, forwards and then backwards, so that
 * whatever else the machine does meets them all.
 */
export async function converse({ browser, folder }: Site, measured: readonly Kept[], { turns, reads }: { readonly turns: number; readonly reads: boolean }): Promise<Conversation[]> {
  const lanes = await Promise.all(measured.map(async ([subject, workload]) => new Lane(browser, await serve(folder), { subject, workload, turns })));
  try {
    for (const lane of lanes) await lane.start();
    for (let chunk = 0; chunk < chunks; chunk += 1) for (const lane of swing(lanes, chunk)) await lane.write();
    await Promise.all(lanes.map((lane) => lane.weigh()));
    if (reads) {
      for (const lane of lanes) await lane.writeOn();
      for (let round = 0; round < warmRounds; round += 1) for (const lane of swing(lanes, round)) await lane.readWarm();
      for (const lane of lanes) await lane.stop();
      // In one order, so that the others' reads are each one's wait for the browser to close its database.
      for (let round = 0; round < coldRounds; round += 1) for (const lane of lanes) await lane.readFresh();
    }
    return lanes.map((lane) => lane.conversation());
  } finally {
    for (const lane of lanes) await lane[Symbol.asyncDispose]();
  }
}

async function hasPrivateFiles(browser: Browser, folder: string): Promise<boolean> {
  await using server = await serve(folder);
  await using tab = await browser.open(server);
  return await tab.call("hasPrivateFiles");
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
  #bytesWritten = 0;
  #closedAt = 0;
  #tab: Tab | undefined;
  #diskBytes: number | undefined;
  #stores: readonly StoreSize[] = [];

  constructor(browser: Browser, server: Server, measured: Case) {
    this.#browser = browser;
    this.#server = server;
    this.#case = measured;
  }

  get #persists(): boolean {
    return this.#case.subject !== "memory";
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
    this.#tab = await this.#browser.open(this.#server);
    await this.#tab.call("start", this.#read, { metered: true });
  }

  async write(): Promise<void> {
    this.#turnTimes.push(...(await this.#open.call("turns", this.#case.turns / chunks)));
    this.#bytesWritten += (await this.#open.call("traffic")).bytesPut;
  }

  async weigh(): Promise<void> {
    if (this.#persists) this.#diskBytes = await this.#open.call("usage");
    this.#stores = await this.#open.call("stores");
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

  async readFresh(): Promise<void> {
    if (this.#persists) {
      await setTimeout(Math.max(0, this.#closedAt + closedAfterMs - performance.now()));
      this.#coldReads.push(await this.#readOnFreshPage());
    }
    this.#reloadReads.push(await this.#readOnFreshPage());
  }

  async #readOnFreshPage(): Promise<number> {
    await using tab = await this.#browser.open(this.#server);
    const time = await tab.call("coldRead", this.#read);
    await tab.call("close");
    this.#closedAt = performance.now();
    return time;
  }

  conversation(): Conversation {
    return {
      ...this.#case,
      turnTimes: this.#turnTimes,
      bytesWritten: this.#bytesWritten,
      stores: this.#stores,
      diskBytes: this.#diskBytes,
      warmReads: this.#warmReads,
      reloadReads: this.#reloadReads,
      coldReads: this.#coldReads,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tab?.[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
  }
}
