import { expect, test } from "./fixtures.ts";
import { Inspector } from "./inspector.ts";

declare global {
  var layoutShift: number;
}

/** As browsers count it, how much of the screen moved, and how far, without the visitor having done anything. A header that moves by 40 pixels is as much. */
const STILL = 0.02;

test("nothing jumps while a thread opens, nor while the inspector's views come", async ({ chat, page }) => {
  await page.addInitScript(() => {
    globalThis.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) if (!shift.hadRecentInput) globalThis.layoutShift += shift.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await chat.ask("What is 18 * 37, and convert 26.2 miles to km", "666");
  await chat.ask("How many days until 24 December?", "24 December");
  await chat.reload();
  await expect(chat.answers.last()).toBeVisible();
  expect(await page.evaluate(() => globalThis.layoutShift)).toBeLessThan(STILL);

  const inspector = new Inspector(page);
  for (const panel of ["Time", "Branches", "Growth", "Reads", "Storage"] as const) {
    await inspector.open(panel);
    await expect(page.getByRole("tabpanel")).not.toBeEmpty();
  }
  expect(await page.evaluate(() => globalThis.layoutShift)).toBeLessThan(STILL);
});
