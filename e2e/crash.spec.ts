import { expect, test } from "./fixtures.ts";
import { toolRuns } from "./storage.ts";

test("the browser is killed and started again on the same profile: all there", async ({ profile }) => {
  const before = await profile.launch();
  await before.ask("What is 18 * 37?", "666");
  await before.ask("convert 26.2 miles to km", "42.16");
  const transcript = await before.transcript();
  const address = before.page.url();

  await profile.kill();
  const after = await profile.launch(address);

  await expect(after.said).toHaveCount(2);
  expect(await after.transcript()).toEqual(transcript);
  await expect(after.threads.getByRole("listitem")).toHaveCount(1);
});

test("the browser is killed in mid-run: the run resumes without running the finished tool again", async ({ profile }) => {
  const before = await profile.launch();
  await before.say("6 * 7 and wait 12 seconds");
  await expect(before.tool("Calculate").getByRole("img", { name: "done", exact: true })).toBeVisible();
  const address = before.page.url();

  await profile.kill();
  const after = await profile.launch(address);

  await expect(after.answers.last()).toContainText("12 seconds are over");
  await expect(after.answers.last()).toContainText("42");
  await after.settled();
  expect((await toolRuns(after.page)).find(({ tool }) => tool === "calculate")).toEqual({ tool: "calculate", starts: 1, finished: true });
});

test("the browser is killed while the agent waits for approval: the question is open again", async ({ profile }) => {
  const before = await profile.launch();
  await before.say("note: call the bank");
  await expect(before.approval).toContainText("call the bank");
  const address = before.page.url();

  await profile.kill();
  const after = await profile.launch(address);

  await expect(after.approval).toContainText("call the bank");
  await after.approval.getByRole("button", { name: "Save note" }).click();
  await expect(after.answers.last()).toContainText("Saved");
});

test("the page crashes in mid-run: a new tab goes on with the run", async ({ chat, context }) => {
  await chat.say("6 * 7 and wait 12 seconds");
  await expect(chat.tool("Calculate").getByRole("img", { name: "done", exact: true })).toBeVisible();
  const address = chat.page.url();
  const crashed = chat.page.waitForEvent("crash");
  const session = await context.newCDPSession(chat.page);
  void session.send("Page.crash").catch(() => undefined);
  await crashed;

  const page = await context.newPage();
  await page.goto(address);
  const again = chat.in(page);

  await expect(again.answers.last()).toContainText("12 seconds are over");
  await expect(again.said).toHaveText(["6 * 7 and wait 12 seconds"]);
  expect((await toolRuns(page)).find(({ tool }) => tool === "calculate")?.starts).toBe(1);
});
