import { expect, test } from "./fixtures.ts";
import { Inspector } from "./inspector.ts";

test.use({ serviceWorker: true });

test("after the first visit everything works with the network off, a reload and a second tab included", { tag: "@core" }, async ({ chat, context, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  await context.setOffline(true);

  await chat.reload();
  await expect(chat.answers.last()).toContainText("4");
  await chat.ask("convert 26.2 miles to km, and how many days until 24 December?", "42.16"); // Tools that are loaded when they are used.

  const inspector = new Inspector(page); // Its views are loaded when they are opened.
  for (const panel of ["Time", "Branches", "Growth", "Reads", "Storage"] as const) {
    await inspector.open(panel);
    await expect(page.getByRole("tabpanel")).not.toBeEmpty();
  }

  const another = await context.newPage();
  await another.goto(page.url());
  await expect(chat.in(another).answers.last()).toContainText("42.16");
});

test("the page can be installed", async ({ chat }) => {
  const session = await chat.page.context().newCDPSession(chat.page);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
});
