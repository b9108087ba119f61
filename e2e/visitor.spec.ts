import { expect, test } from "./fixtures.ts";
import { Inspector } from "./inspector.ts";

test.use({ serviceWorker: true });

test("a visitor chats, approves, reloads in mid-run, travels back, forks, compares, watches the chart, goes offline: everything is there", async ({ chat, context, page }) => {
  await chat.ask("What is 18 * 37, and convert 26.2 miles to km", "666");
  await chat.say("Remember to buy oat milk");
  await chat.approval.getByRole("button", { name: "Save note" }).click();
  await expect(chat.answers.last()).toContainText("oat milk");
  await chat.settled();

  await chat.say("6 * 7 and wait 8 seconds");
  await expect(chat.tool("Calculate").getByRole("img", { name: "done", exact: true })).toBeVisible();
  await chat.reload();
  await expect(page.getByText("Resumed a run that was interrupted.")).toBeVisible();
  await expect(chat.answers.last()).toContainText("8 seconds are over");
  await chat.settled();

  const inspector = new Inspector(page);
  await inspector.continueFrom(5);
  await expect(chat.said).toHaveCount(1);
  await chat.ask("5 * 5", /= 25/);
  await inspector.open("Branches");
  await expect(inspector.branches).toHaveCount(2);
  await page.getByRole("button", { name: /^Compare/ }).first().click();
  await expect(page.getByRole("region", { name: "Comparison" })).toContainText("Both begin with the same");
  await inspector.open("Growth");
  const chart = page.getByRole("img", { name: /^Bytes by checkpoint/ });
  const before = (await chart.getAttribute("aria-label")) ?? "";
  await chat.ask("6 * 6", /= 36/);
  await expect(chart).not.toHaveAccessibleName(before);

  const shown = await chat.transcript();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  await context.setOffline(true);
  await chat.reload();
  expect(await chat.transcript()).toEqual(shown);
  await inspector.open("Branches");
  await inspector.branches.nth(0).getByRole("button").first().click();
  await expect(chat.said).toHaveText(["What is 18 * 37, and convert 26.2 miles to km", "Remember to buy oat milk", "6 * 7 and wait 8 seconds"]);
  await page.getByRole("button", { name: "Notes" }).click();
  await expect(page.getByRole("dialog")).toContainText("buy oat milk");
});
