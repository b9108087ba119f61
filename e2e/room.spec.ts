import { randomBytes } from "node:crypto";
import { expect, test } from "./fixtures.ts";
import { Inspector } from "./inspector.ts";

test("the site's room is shown, and what is stored is verified", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await new Inspector(page).open("Storage");
  await expect(page.getByRole("region", { name: "Room" })).toContainText(/[\d.]+ KB of [\d.]+ [MGT]B used/);
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page.getByRole("region", { name: "Verification" })).toContainText(/All is well\. Looked at 1 thread, 6 checkpoints/);
});

test("the browser is asked to keep the data, and its answer is said", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await page.evaluate(() => {
    navigator.storage.persist = () => Promise.resolve(false);
  });
  await new Inspector(page).open("Storage");
  await page.getByRole("button", { name: "Ask the browser to keep it" }).click();
  await expect(page.getByText("It refused.")).toBeVisible();
  await page.evaluate(() => {
    navigator.storage.persist = navigator.storage.persisted = () => Promise.resolve(true);
  });
  await page.getByRole("button", { name: "Ask the browser to keep it" }).click();
  await expect(page.getByText("The browser keeps this site’s data until you delete it.")).toBeVisible();
});

test("on a full disk a message is given back with the reason, and goes through once there is room", async ({ profile }) => {
  const chat = await profile.launch();
  const { page } = chat;
  // Before anything is written: Chromium allots room to a database for half a minute, and asks for the quota only when that is used up.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Storage.overrideQuotaForOrigin", { origin: new URL(page.url()).origin, quotaSize: 30_000_000 });
  await chat.ask("2 + 2", /= 4/);
  await new Inspector(page).open("Storage");
  await page.getByRole("button", { name: "Fill the disk" }).click();
  await expect(page.getByText("The disk is full.")).toBeVisible();
  const message = `3 + 3 ${randomBytes(60_000).toString("base64")}`;
  await chat.say(message);
  await expect(page.getByText("The browser has no room left for this site.").first()).toBeVisible();
  await expect(chat.answers).toHaveText([/= 4/]);
  await expect(chat.field).toHaveValue(message);

  await page.getByRole("button", { name: "Free it again" }).click();
  await expect(page.getByText("The disk is full.")).toBeHidden();
  await chat.ask("4 + 4", /= 8/);
});
