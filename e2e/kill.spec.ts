import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { serveSite } from "./kill/site.ts";

/** How many more steps of each writer are to be acknowledged before each kill. */
const lives = [1, 25, 5, 40, 3];

test("the browser is killed while two tabs write, again and again: every acknowledged checkpoint is there, and the threads go on", async ({ profile }) => {
  const site = await serveSite();
  const open = async (): Promise<Page[]> => {
    const { page } = await profile.launch(`${site.url}?writer=0`);
    const other = await page.context().newPage();
    await other.goto(`${site.url}?writer=1`);
    return [page, other];
  };
  /** How many checkpoints of each writer are there, all of which are what they were. */
  const resume = async (pages: readonly Page[]): Promise<number[]> => Promise.all(pages.map((page) => page.evaluate(() => globalThis.resume())));
  try {
    for (const more of lives) {
      const pages = await open();
      const known = [...site.acknowledged];
      for (const [writer, count] of (await resume(pages)).entries()) expect(count).toBeGreaterThanOrEqual(known[writer]!);
      for (const page of pages) await page.evaluate(() => globalThis.write());
      await expect.poll(() => Math.min(...site.acknowledged.map((count, writer) => count - known[writer]!)), { intervals: [5] }).toBeGreaterThanOrEqual(more);
      await profile.kill();
    }
    for (const [writer, count] of (await resume(await open())).entries()) expect(count).toBeGreaterThanOrEqual(site.acknowledged[writer]!);
  } finally {
    await site.close();
  }
});
