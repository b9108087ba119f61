import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { NO_THREADS, rowCounts, toolRuns } from "./storage.ts";

async function choose(page: Page, thread: string, option: "Rename" | "Delete" | "Pin" | "Unpin"): Promise<void> {
  await page.getByRole("navigation", { name: "Threads" }).getByRole("button", { name: `Options for “${thread}”` }).click();
  await page.getByRole("menuitem", { name: option }).click();
}

/** Deletes a thread and does not wait for the time in which it can be had back. */
async function deleteForGood(page: Page, thread: string): Promise<void> {
  await choose(page, thread, "Delete");
  await page.getByRole("button", { name: "Delete it for good" }).click();
}

test("threads keep to themselves and are opened from the list", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await page.getByRole("link", { name: "New thread" }).click();
  await chat.ask("sqrt(81)", "9");
  await expect(chat.said).toHaveText(["sqrt(81)"]);
  const facts = /\d\d[:.]\d\d.*\d (B|KB)/; // When it was written to last, and what it takes.
  await expect(chat.threads.getByRole("link")).toHaveText([/sqrt\(81\)/, /2 \+ 2/]);
  await expect(chat.threads.getByRole("link")).toHaveText([facts, facts]);

  await chat.threads.getByRole("link", { name: "2 + 2" }).click();

  await expect(chat.said).toHaveText(["2 + 2"]);
  await expect(page.getByRole("heading", { name: "2 + 2", level: 1 })).toBeVisible();
});

test("a run goes on while another thread is on the screen", async ({ chat, page }) => {
  await chat.say("Wait 10 seconds");
  await expect(chat.tool("Wait").getByRole("img", { name: "working" })).toBeVisible();
  await page.getByRole("link", { name: "New thread" }).click();
  await chat.ask("2 + 2", /= 4/);
  await chat.threads.getByRole("link", { name: "Wait 10 seconds" }).click();
  await expect(chat.answers.last()).toContainText("10 seconds are over");
  expect((await toolRuns(page)).find(({ tool }) => tool === "wait")?.starts).toBe(1);
});

test("a thread is renamed, also for a tab that is open elsewhere", async ({ chat, context, page }) => {
  await chat.ask("2 + 2", /= 4/);
  const other = await context.newPage();
  await other.goto(page.url());
  await choose(page, "2 + 2", "Rename");
  await page.getByRole("textbox", { name: "Title" }).fill("Sums");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Sums", level: 1 })).toBeVisible();
  await expect(other.getByRole("heading", { name: "Sums", level: 1 })).toBeVisible();
  await chat.reload();
  await expect(chat.threads.getByRole("link", { name: "Sums" })).toBeVisible();
});

test("a deleted thread can be had back for a moment, with all it held", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await choose(page, "2 + 2", "Delete");
  await expect(page.getByRole("heading", { name: "New thread" })).toBeVisible();
  await expect(chat.threads.getByRole("link")).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await chat.threads.getByRole("link", { name: "2 + 2" }).click();
  await expect(chat.answers.last()).toContainText("4");
});

test("a thread whose tab was closed before it was really deleted is deleted later", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await choose(page, "2 + 2", "Delete");
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await page.clock.install({ time: Date.now() + 60_000 });
  await page.reload();
  await expect.poll(() => rowCounts(page)).toEqual(NO_THREADS);
});

test("a pinned thread stays on top, also after a reload", { tag: "@core" }, async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await page.getByRole("link", { name: "New thread" }).click();
  await chat.ask("sqrt(81)", "9");
  await choose(page, "2 + 2", "Pin");
  await expect(chat.threads.getByRole("link").first()).toContainText("2 + 2");
  await chat.ask("sqrt(49)", "7");
  await chat.reload();
  await expect(chat.threads.getByRole("link")).toContainText(["2 + 2", "sqrt(81)"]);
  await expect(chat.threads.getByRole("link").first().getByRole("img", { name: "Pinned" })).toBeVisible();
});

test("a list of 3,000 threads: only what is on the screen is in the page, and a search finds the rest", async ({ chat, page }) => {
  await page.goto("/?seed");
  await page.waitForFunction(() => "seedThreads" in globalThis);
  await page.evaluate(() => seedThreads(3000));
  await chat.open();
  const search = page.getByRole("searchbox", { name: "Search threads" });
  await expect(search).toHaveAttribute("placeholder", "Search 3000 threads");
  expect(await chat.threads.getByRole("listitem").count()).toBeLessThan(60);
  await search.fill("number 1234");
  await expect(chat.threads.getByRole("link")).toHaveText([/Thread number 1234/]);
  await search.fill("nothing of the kind");
  await expect(page.getByText("No thread is called “nothing of the kind”.")).toBeVisible();
});

test("a deleted thread leaves no row behind, and the others whole", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  const before = await rowCounts(page);
  await page.getByRole("link", { name: "New thread" }).click();
  await chat.ask("What is 18 * 37, and convert 26.2 miles to km", "666");
  const between = await rowCounts(page);
  for (const store of ["threads", "checkpoints", "writes", "content"]) expect(between[store]).toBeGreaterThan(before[store] ?? 0);

  await deleteForGood(page, "What is 18 * 37, and convert 26.2 miles to km");

  await expect(page.getByRole("heading", { name: "New thread" })).toBeVisible();
  await expect.poll(() => rowCounts(page)).toEqual(before);
  await chat.threads.getByRole("link", { name: "2 + 2" }).click();
  await expect(chat.answers.last()).toContainText("4");
});

test("a thread is deleted while its run goes on: nothing comes back", async ({ chat, page }) => {
  await chat.say("6 * 7 and wait 60 seconds");
  await expect(chat.tool("Calculate").getByRole("img", { name: "done", exact: true })).toBeVisible();
  await deleteForGood(page, "6 * 7 and wait 60 seconds");
  await expect(page.getByRole("heading", { name: "New thread" })).toBeVisible();
  await expect.poll(() => rowCounts(page)).toEqual(NO_THREADS);
  await page.reload();
  await expect(page.getByText("Your threads will be listed here.")).toBeVisible();
  expect(await rowCounts(page)).toEqual(NO_THREADS);
  expect(await toolRuns(page)).toEqual([]);
});

test("a thread that another tab deletes says so", async ({ chat, context, page }) => {
  await chat.ask("2 + 2", /= 4/);
  const other = await context.newPage();
  await other.goto(page.url());
  await deleteForGood(other, "2 + 2");
  await expect(page.getByRole("heading", { name: "This thread is not here" })).toBeVisible();
  await page.getByRole("link", { name: "Start a new thread" }).click();
  await expect(page.getByRole("heading", { name: "New thread" })).toBeVisible();
});
