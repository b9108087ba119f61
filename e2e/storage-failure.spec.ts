import { expect, test } from "./fixtures.ts";

test("no room is left: the message is not lost, and sending works again when there is room", async ({ chat, context, page }) => {
  await chat.ask("2 + 2", /= 4/);
  const session = await context.newCDPSession(page);
  const { origin } = new URL(page.url());
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });

  await chat.say(`note: ${"a long story ".repeat(100)}`);
  await expect(page.getByRole("alert")).toContainText("no room left");
  await session.send("Storage.overrideQuotaForOrigin", { origin });

  await expect(chat.field).toHaveValue(/^note: a long story/);
  await chat.send.click();
  await expect(chat.approval).toContainText("a long story");
  await expect(page.getByRole("alert")).toBeHidden();
});

test.describe("the storage worker does not load", () => {
  test.use({ expectedErrors: /Failed to load resource/ });

  test("is said, and a reload gets out of it", async ({ chat, page }) => {
    await chat.ask("2 + 2", /= 4/);
    await page.route(/host-.*\.js/, (route) => route.abort());
    await page.reload();
    await expect(page.getByRole("alert")).toContainText("could not be read");
    await page.unroute(/host-.*\.js/);
    await page.getByRole("button", { name: "Reload" }).click();
    await expect(chat.answers.last()).toContainText("4");
  });
});
