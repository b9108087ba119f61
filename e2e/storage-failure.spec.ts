import { randomBytes } from "node:crypto";
import { expect, test } from "./fixtures.ts";
import { NO_THREADS, rowCounts } from "./storage.ts";

test("no room is left: the message is given back, and deleting a thread still works", async ({ profile }) => {
  const chat = await profile.launch();
  const { page } = chat;
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 200_000 });
  await chat.ask("2 + 2", /= 4/);
  const message = randomBytes(300_000).toString("base64");

  await chat.say(message);

  await expect(page.getByRole("alert")).toContainText("no room left");
  await expect(chat.field).toHaveValue(message);
  await expect(chat.said).toHaveText(["2 + 2"]);

  await session.send("Storage.overrideQuotaForOrigin", { origin });
  await chat.ask("3 + 3", /= 6/);
  await expect(page.getByRole("alert")).toBeHidden();

  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
  await chat.threads.getByRole("button", { name: "Options for “2 + 2”" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "New thread" })).toBeVisible();
  await expect.poll(() => rowCounts(page)).toEqual(NO_THREADS);
});

test.describe("the storage worker does not load", () => {
  test.use({ expectedErrors: /Failed to load resource/ });

  test("is said, and trying again gets out of it", async ({ chat, page }) => {
    await chat.ask("2 + 2", /= 4/);
    await page.route(/host-.*\.js/, (route) => route.abort());
    await page.reload();
    await expect(page.getByRole("alert")).toContainText("could not be read");
    await page.unroute(/host-.*\.js/);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(chat.answers.last()).toContainText("4");
  });
});
