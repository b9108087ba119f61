import { expect, test } from "./fixtures.ts";
import { serveSite } from "./kill/site.ts";

/** How many more steps are to be acknowledged before each kill. */
const lives = [1, 25, 7, 60, 3, 40];

test("the browser is killed while two writers write, again and again: every acknowledged checkpoint is there, and the threads go on", async ({ profile }) => {
  const site = await serveSite();
  try {
    for (const more of lives) {
      const { page } = await profile.launch(site.url);
      const known = [...site.acknowledged];
      const there = await page.evaluate(() => resume());
      for (const [writer, count] of there.entries()) expect(count).toBeGreaterThanOrEqual(known[writer]!);
      await page.evaluate(() => write());
      await expect.poll(() => Math.min(...site.acknowledged.map((count, writer) => count - known[writer]!)), { intervals: [5] }).toBeGreaterThanOrEqual(more);
      await profile.kill();
    }
    const { page } = await profile.launch(site.url);
    const there = await page.evaluate(() => resume());
    for (const [writer, count] of there.entries()) expect(count).toBeGreaterThanOrEqual(site.acknowledged[writer]!);
  } finally {
    await site.close();
  }
});
