import { expect, test } from "./fixtures.ts";
import { toolRuns } from "./storage.ts";

test("two tabs on one thread: each shows what the other did", { tag: "@core" }, async ({ chat, context }) => {
  await chat.ask("2 + 2", /= 4/);
  const page = await context.newPage();
  await page.goto(chat.page.url());
  const other = chat.in(page);
  await expect(other.said).toHaveText(["2 + 2"]);

  await chat.ask("3 + 3", /= 6/);
  await expect(other.answers.last()).toContainText("6");
  await other.settled();
  await other.ask("4 + 4", /= 8/);
  await expect(chat.answers.last()).toContainText("8");
  await chat.settled();

  expect(await chat.transcript()).toEqual(await other.transcript());
  await chat.reload();
  await expect(chat.said).toHaveText(["2 + 2", "3 + 3", "4 + 4"]);
});

test("a run in one tab is shown as running in the other, which does not run it too", async ({ chat, context }) => {
  await chat.say("6 * 7 and wait 12 seconds");
  await expect(chat.tool("Wait").getByRole("img", { name: "working" })).toBeVisible();
  const page = await context.newPage();
  await page.goto(chat.page.url());
  const other = chat.in(page);

  await expect(page.getByText("Running in another tab")).toBeVisible();
  await expect(other.threads.getByRole("img", { name: "Running" })).toBeVisible();
  await expect(other.tool("Calculate").getByRole("img", { name: "done", exact: true })).toBeVisible();
  await expect(other.answers.last()).toContainText("12 seconds are over");
  await other.settled();
  expect((await toolRuns(page)).map(({ tool, starts }) => `${tool} ${String(starts)}`).sort()).toEqual(["calculate 1", "wait 1"]);
});

test("the tab that runs is closed: the other goes on with the run", async ({ chat, context }) => {
  await chat.say("6 * 7 and wait 12 seconds");
  await expect(chat.tool("Calculate").getByRole("img", { name: "done", exact: true })).toBeVisible();
  const page = await context.newPage();
  await page.goto(chat.page.url());
  await expect(page.getByText("Running in another tab")).toBeVisible();

  await chat.page.close();

  const other = chat.in(page);
  await expect(page.getByText("Resumed a run that was interrupted.")).toBeVisible();
  await expect(other.answers.last()).toContainText("12 seconds are over");
  await other.settled();
  expect((await toolRuns(page)).find(({ tool }) => tool === "calculate")?.starts).toBe(1);
});

test("an approval given in one tab is seen in the other", async ({ chat, context }) => {
  await chat.say("note: buy oat milk");
  await expect(chat.approval).toBeVisible();
  const page = await context.newPage();
  await page.goto(chat.page.url());
  const other = chat.in(page);
  await other.approval.getByRole("button", { name: "Save note" }).click();
  await expect(other.answers.last()).toContainText("Saved");
  await expect(chat.answers.last()).toContainText("Saved");
  await expect(chat.approval).toBeHidden();
});
