import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { Case } from "../page/chat.ts";
import type { SaverName } from "../page/savers.ts";
import type { Tally } from "../page/trace.ts";
import { heatOf, type Hot } from "./hot.ts";
import { Origins } from "./origin.ts";
import { launchChromium, type PlaywrightBrowser } from "./playwright-browser.ts";
import { Sampler, type ThreadProfile } from "./sampler.ts";
import { serve, type Server } from "./serve.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const built = path("../../.cache/bench-profile");
const origins = new Origins(built);
const coldPages = 4;

export interface Options {
  readonly saver: SaverName;
  readonly channel: "plain" | "delta";
  readonly frequency: number;
  readonly turns: number;
  /** How many turns at the end are profiled. */
  readonly last: number;
  readonly reads: number;
  /** How many functions to print. */
  readonly top: number;
}

/** Profiles one case: the last turns of a thread, warm reads, and what the graph asked of the saver and the saver of IndexedDB. */
export async function profile(options: Options): Promise<void> {
  const { saver, channel, frequency, turns, last, reads, top } = options;
  const workload = channel === "plain" ? { channel } : { channel, frequency };
  const profiled: Case = { subject: saver, workload, turns };
  await build({ configFile: path("../vite.config.ts"), mode: "profile" });
  await using browser = await launchChromium();
  await using server = await serve(built);
  await using tab = await browser.open(server);
  const sampler = await Sampler.attach(tab.page);
  await tab.call("start", profiled, { metered: false });
  await tab.call("turns", turns - last);

  await sampler.start();
  const times = await tab.call("turns", last);
  printHeat(`${last} turns up to turn ${turns}, ms a turn`, await sampler.stop(), last, top);
  console.log(`\n${mean(times).toFixed(2)} ms a turn while profiled`);

  await sampler.start();
  const readTimes = await tab.call("warmReads", reads);
  printHeat(`${reads} warm reads, ms a read`, await sampler.stop(), reads, top);
  console.log(`\n${mean(readTimes).toFixed(2)} ms a read while profiled`);
  await tab.call("close");
  if (saver !== "memory") await printColdRead(browser, server, profiled, top);

  await printCalls(browser, profiled, last, "calls");
  if (saver !== "worker" && saver !== "memory") await printCalls(browser, profiled, last, "requests");
}

/** The last of some fresh pages, when the browser has its code cached. */
async function printColdRead(browser: PlaywrightBrowser, server: Server, profiled: Case, top: number): Promise<void> {
  for (let page = 0; page < coldPages; page += 1) {
    await using tab = await browser.open(server);
    const sampler = await Sampler.attach(tab.page);
    await sampler.start();
    const time = await tab.call("coldRead", profiled);
    const threads = await sampler.stop();
    await tab.call("close");
    if (page < coldPages - 1) continue;
    printHeat("a cold read, ms", threads, 1, top);
    console.log(`\n${time.toFixed(2)} ms while profiled`);
  }
}

/** In a run of its own on a fresh origin: tracing costs time. */
async function printCalls(
  browser: PlaywrightBrowser,
  traced: Case,
  last: number,
  what: "calls" | "requests",
): Promise<void> {
  await using server = await serve(built);
  await using tab = await browser.open(server);
  await tab.call("start", traced, { metered: false });
  await tab.call("turns", traced.turns - last);
  await tab.call("trace", what);
  await tab.call("turns", last);
  printTallies(`a turn, ${what}`, await tab.call("traced"), last, what);
  await tab.call("warmReads", 10);
  printTallies(`a warm read, ${what}`, await tab.call("traced"), 10, what);
  await tab.call("close");
}

function printTallies(title: string, tallies: readonly Tally[], times: number, what: "calls" | "requests"): void {
  console.log(`\n## ${title}\n`);
  for (const tally of tallies) {
    const sum = tally.sum / times;
    console.log(
      `${(tally.count / times).toFixed(2).padStart(9)} × ${tally.what}` +
        (what === "calls" ? `, ${sum.toFixed(2)} ms` : sum === 0 ? "" : `, ${sum.toFixed(0)} B`),
    );
  }
}

function printHeat(title: string, threads: readonly ThreadProfile[], times: number, top: number): void {
  for (const { thread, profile: sampled } of threads) {
    const heat = heatOf(sampled, origins);
    console.log(`\n# ${title}: ${thread} thread`);
    printHot("by party", heat.party, times, top);
    printHot("self", heat.self, times, top);
    printHot("ours, with what it calls", heat.ours, times, top);
  }
}

function printHot(title: string, hot: readonly Hot[], times: number, top: number): void {
  console.log(`\n## ${title}\n`);
  for (const { what, ms } of hot.slice(0, top)) console.log(`${(ms / times).toFixed(3).padStart(9)} ${what}`);
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
