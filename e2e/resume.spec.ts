import { expect, test } from "./fixtures.ts";
import { toolRuns } from "./storage.ts";

const STARTS = (runs: Awaited<ReturnType<typeof toolRuns>>) => Object.fromEntries(runs.map(({ tool, starts }) => [tool, starts]));

test("a reload in mid-run: the run resumes and the finished tool is not run again", async ({ chat, page, threads }) => {
  await chat.say("Calculate 17% of 240 and wait 12 seconds");
  await expect(chat.tool("Calculate").getByRole("img", { name: "done", exact: true })).toBeVisible();
  await expect(chat.tool("Wait").getByRole("img", { name: "working" })).toBeVisible();

  await chat.reload();

  await expect(page.getByText("Resumed a run that was interrupted.")).toBeVisible();
  await expect(chat.tool("Calculate").getByRole("img", { name: "done", exact: true })).toBeVisible();
  await expect(chat.answers.last()).toContainText("12 seconds are over");
  await expect(chat.answers.last()).toContainText("40.8");
  await chat.settled();
  expect(STARTS(await toolRuns(page))).toEqual({ calculate: 1, wait: 2 });
  await expect(chat.said).toHaveCount(1);
  await expect(threads).toHaveState(chat.thread, { messages: [{ type: "human" }, { type: "ai" }, { type: "tool" }, { type: "tool" }, { type: "ai" }] });

  const after = await chat.transcript();
  await chat.reload();
  expect(await chat.transcript()).toEqual(after);
});

test("three reloads in one run", async ({ chat, page }) => {
  await chat.say("6 * 7 and wait 20 seconds");
  for (let reload = 0; reload < 3; reload += 1) {
    await expect(chat.tool("Wait").getByRole("img", { name: "working" })).toBeVisible();
    await expect(chat.tool("Calculate").getByRole("img", { name: "done", exact: true })).toBeVisible();
    await chat.reload();
  }
  await expect(chat.answers.last()).toContainText("20 seconds are over");
  expect(STARTS(await toolRuns(page))).toEqual({ calculate: 1, wait: 4 });
});

test("a run that was stopped stays stopped over a reload, and goes on when told to", async ({ chat, page }) => {
  await chat.say("6 * 7 and wait 15 seconds");
  await expect(chat.tool("Calculate").getByRole("img", { name: "done", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText("Stopped.")).toBeVisible();
  await chat.reload();
  await expect(page.getByText("Stopped.")).toBeVisible();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(chat.answers.last()).toContainText("15 seconds are over");
  expect(STARTS(await toolRuns(page))).toMatchObject({ calculate: 1 });
});

test("a new message after a stop closes what was left open", async ({ chat, page }) => {
  await chat.say("6 * 7 and wait 60 seconds");
  await expect(chat.tool("Calculate").getByRole("img", { name: "done", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText("Stopped.")).toBeVisible();
  await chat.ask("1 + 1", /= 2/);
  await chat.reload();
  await expect(chat.said).toHaveText(["6 * 7 and wait 60 seconds", "1 + 1"]);
  await expect(chat.tool("Wait").getByRole("img", { name: "not done" })).toBeVisible();
  await expect(chat.tool("Calculate").getByRole("img", { name: "done", exact: true })).toBeVisible();
});
