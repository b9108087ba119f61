import { expect, test } from "./fixtures.ts";
import { Inspector } from "./inspector.ts";

test("the chart grows with the thread, beside what whole copies would take", async ({ chat, page }) => {
  await new Inspector(page).open("Growth");
  await expect(page.getByText("its curve will be drawn here")).toBeVisible();
  await chat.ask("2 + 2", /= 4/);
  const chart = page.getByRole("img", { name: /^Bytes by checkpoint/ });
  await expect(chart).toHaveAccessibleName(/after 6 checkpoints .* are stored/);
  await chat.ask("3 + 3", /= 6/);
  await expect(chart).toHaveAccessibleName(/after 12 checkpoints/);
  await expect(page.getByRole("table", { name: "By store" }).getByRole("row")).toHaveText([/Store/, /content/, /checkpoints/, /writes/, /Together/, /Whole copies/]);
  await page.getByRole("radio", { name: "Log" }).click();
  await expect(page.getByRole("radio", { name: "Log" })).toBeChecked();
  await expect(chart.locator("canvas")).toBeVisible();
});

test("a long thread is made as far as one wants, and takes a part of what copies would", async ({ chat, page }) => {
  await new Inspector(page).open("Growth");
  await page.getByRole("button", { name: "Make a thread of 500 turns" }).click();
  await expect.poll(async () => Number(await page.getByRole("progressbar", { name: "Turns made" }).getAttribute("value"))).toBeGreaterThan(52);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Open the thread" }).click();
  await expect(page.getByRole("heading", { name: "500 turns", level: 1 })).toBeVisible();
  await expect(chat.said.first()).toBeVisible();
  await expect(page.locator(".headline")).toContainText(/whole copies would take .*[1-9]\d*(\.\d)?× as much/);
  const turns = Number(/(\d+) turns? made/.exec((await page.getByRole("status").filter({ hasText: "made" }).textContent()) ?? "")?.[1]);
  await expect(page.getByRole("img", { name: new RegExp(`after ${String(3 * turns)} checkpoints `) })).toBeVisible();
});

test("a thread in a delta channel has its snapshots marked, and is talked on, travelled and branched like any other", async ({ chat, page }) => {
  const inspector = await new Inspector(page).open("Growth");
  await page.getByRole("radio", { name: "Delta channel" }).click();
  await page.getByRole("button", { name: "Make a thread of 500 turns" }).click();
  await expect.poll(async () => Number(await page.getByRole("progressbar", { name: "Turns made" }).getAttribute("value"))).toBeGreaterThan(52);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Open the thread" }).click();
  await expect(page.getByRole("heading", { name: "500 turns, delta channel", level: 1 })).toBeVisible();
  await expect(page.getByRole("img", { name: /^Bytes by checkpoint: .*; [1-9]\d* snapshots$/ })).toBeVisible();
  await expect(page.getByRole("list", { name: "Legend" }).getByText("Snapshot")).toBeVisible();

  await expect(chat.answers.last()).toContainText("Noted:");
  const earlier = page.getByText("earlier messages");
  await expect(earlier).toBeVisible();
  await expect(async () => {
    await page.locator(".messages").evaluate((box) => box.scrollTo({ top: 0 })); // Each time the window above is read.
    await expect(chat.said.filter({ hasText: "(1)." })).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(earlier).toBeHidden();

  await chat.ask("6 * 7", /= 42/);
  await chat.reload();
  await expect(chat.answers.last()).toContainText("42");
  await inspector.open("Time");
  await inspector.press("Home");
  await inspector.press("ArrowRight", 5);
  await expect(inspector.banner).toContainText("as of step 4");
  await expect(chat.said).toHaveCount(2);
  await inspector.banner.getByRole("button", { name: "Continue from here" }).click();
  await expect(chat.said).toHaveCount(2);
  await chat.ask("5 * 5", /= 25/);
  await inspector.open("Branches");
  await expect(inspector.branches).toHaveText([/= 42/, /= 25/]);
});
