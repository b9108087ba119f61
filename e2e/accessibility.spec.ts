import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical").flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test("axe finds no serious fault in any view", async ({ chat, page }) => {
      expect(await faults(page)).toEqual([]);
      await chat.ask("What is 18 * 37, and convert 26.2 miles to km", "666");
      await chat.edit("What is 18 * 37, and convert 26.2 miles to km", "note: buy oat milk");
      await expect(chat.approval).toBeVisible();
      expect(await faults(page)).toEqual([]);
      await chat.approval.getByRole("button", { name: "Save note" }).click();
      await chat.settled();
      await chat.messages.getByRole("button", { name: "Edit the message" }).click();
      expect(await faults(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Settings" }).click();
      expect(await faults(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Notes" }).click();
      expect(await faults(page)).toEqual([]);
    });

    test.describe("on a phone", () => {
      test.use({ viewport: { width: 360, height: 740 } });

      test("axe finds no serious fault, and nothing is wider than the screen", async ({ chat, page }) => {
        await chat.ask("What is 18 * 37, and convert 26.2 miles to km", "666");
        expect(await faults(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
        await page.getByRole("button", { name: "Threads" }).click();
        await expect(page.getByRole("dialog", { name: "Threads" })).toBeVisible();
        expect(await faults(page)).toEqual([]);
      });
    });
  });
}
