import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "./fixtures.ts";
import { Inspector } from "./inspector.ts";

const PANELS = ["Time", "Branches", "Growth", "Reads", "Storage"] as const;

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing serious in any view, ${colorScheme}`, async ({ chat, page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await chat.ask("2 + 2", /= 4/);
    const inspector = new Inspector(page);
    await inspector.continueFrom(2);
    await chat.settled();
    await inspector.press("ArrowLeft", 2);
    for (const panel of PANELS) {
      await inspector.open(panel);
      if (panel === "Branches") await page.getByRole("button", { name: /^Compare/ }).click();
      if (panel === "Reads") await page.getByRole("button", { name: "Read the whole state" }).click();
      await expect(page.getByRole("tabpanel")).not.toBeEmpty();
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(serious.map(({ id, nodes }) => `${panel}: ${id} at ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)).toEqual([]);
    }
  });
}

test("on a phone it is a sheet under the thread, and nothing is wider than the screen", async ({ chat, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await chat.ask("2 + 2", /= 4/);
  const inspector = new Inspector(page);
  for (const panel of PANELS) {
    await inspector.open(panel);
    await expect(page.getByRole("tabpanel")).not.toBeEmpty();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  }
  await inspector.open("Time");
  await inspector.press("Home");
  await expect(inspector.banner).toBeInViewport();
  await inspector.banner.getByRole("button", { name: "Back to now" }).click();
  await page.getByRole("button", { name: "Close the inspector" }).click();
  await expect(page.getByRole("tab", { name: "Time" })).toBeHidden();
});
