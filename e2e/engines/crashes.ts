import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type EngineName, startEngine } from "./browsers.ts";
import { serveSite, type Order, type Site } from "./site.ts";

/** A new thread for each page after so many rounds, so that going through all of it does not take longer and longer. */
const roundsPerThread = 5;
const pagesAtOnce = 2;

export interface Crashes {
  readonly engine: string;
  /** How often the browser was killed. */
  readonly kills: number;
  /** How often a page was loaded anew in mid-run, and how often it was left and came back. */
  readonly reloads: number;
  readonly returns: number;
  /** How many of the pages that came back were still as they were left: from the back/forward cache. */
  readonly restored: number;
  /** How many checkpoints were acknowledged before a kill, and how many of them were not found afterwards. */
  readonly acknowledged: number;
  readonly lost: number;
}

interface Options {
  readonly rounds: number;
  /** For the moments of the kills. */
  readonly random?: () => number;
  /** Hears after each kill what was seen so far. */
  readonly progress?: (seen: Crashes) => Promise<void>;
}

/** In the course of a round, before the kill. */
const interludes: readonly (Order | undefined)[] = [undefined, "reload", undefined, "leave"];

/**
 * Kills a browser again and again while two of its pages write as fast as they can, each to a thread of its own in one database.
 * @throws Error when what a page finds is not what was put, when `verify` finds a problem, or when a thread does not go on
 */
export async function crashes(name: EngineName, { rounds, random = Math.random, progress = async () => undefined }: Options): Promise<Crashes> {
  await using engine = await startEngine(name);
  await using site = await serveSite();
  const profile = await mkdtemp(join(tmpdir(), "crashes-"));
  let [reloads, returns, lost] = [0, 0, 0];
  const everyThread: string[][] = [];
  const seen = (kills: number): Crashes => {
    const reports = everyThread.flat().map((page) => site.report(page));
    const sum = (count: "acknowledged" | "restored") => reports.reduce((total, report) => total + report[count], 0);
    return { engine: engine.title, kills, reloads, returns, restored: sum("restored"), acknowledged: sum("acknowledged"), lost };
  };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const pages = pagesOf(Math.floor(round / roundsPerThread));
      if (round % roundsPerThread === 0) everyThread.push(pages);
      const browser = engine.open(profile, pages.map((page) => addressOf(site, page)));
      try {
        lost += await found(site, pages);
        await written(site, pages, 1 + Math.floor(random() * 25));
        const interlude = interludes[round % interludes.length];
        if (interlude !== undefined) {
          lost += await interrupted(site, pages, interlude);
          if (interlude === "reload") reloads += pages.length;
          else returns += pages.length;
          await written(site, pages, 1 + Math.floor(random() * 10));
        }
        await delay(random() * 30);
      } finally {
        await browser.kill();
        for (const page of pages) site.order(page, "wait");
      }
      await progress(seen(round + 1));
    }
    for (const pages of everyThread) {
      const browser = engine.open(profile, pages.map((page) => addressOf(site, page)));
      try {
        lost += await found(site, pages);
      } finally {
        await browser.kill();
      }
    }
    return seen(rounds);
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

const pagesOf = (thread: number): string[] => Array.from({ length: pagesAtOnce }, (_, page) => `${page} on thread ${thread}`);
const addressOf = (site: Site, page: string): string => `${site.url}?${new URLSearchParams({ page }).toString()}`;

/** Waits until each page has gone through its thread, and says how many acknowledged checkpoints are missing. */
async function found(site: Site, pages: readonly string[]): Promise<number> {
  await site.until(pages, (report) => report.found !== undefined);
  return pages.reduce((missing, page) => {
    const report = site.report(page);
    const count = report.found ?? 0;
    delete report.found;
    return missing + Math.max(0, report.acknowledged - count);
  }, 0);
}

async function written(site: Site, pages: readonly string[], more: number): Promise<void> {
  const before = new Map(pages.map((page) => [site.report(page), site.report(page).acknowledged]));
  for (const page of pages) site.order(page, "go");
  await site.until(pages, (report) => report.acknowledged >= before.get(report)! + more);
}

/** Has each page leave in mid-run, and waits until it is there again: anew, or as it was. */
async function interrupted(site: Site, pages: readonly string[], order: Order): Promise<number> {
  const before = new Map(pages.map((page) => [site.report(page), site.report(page).restored]));
  for (const page of pages) site.order(page, order);
  await site.until(pages, (report) => report.found !== undefined || report.restored > before.get(report)!);
  return found(site, pages.filter((page) => site.report(page).found !== undefined));
}
