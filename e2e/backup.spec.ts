import type { Download, Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { expect, test } from "./fixtures.ts";
import { Inspector } from "./inspector.ts";
import { rowCounts } from "./storage.ts";

async function exported(page: Page, button: string): Promise<Download> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  return download;
}

async function choose(page: Page, file: string | { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a file…" }).click();
  await (await chooser).setFiles(file);
}

test("all threads are exported, deleted, and imported with all they held", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await chat.edit("2 + 2", "3 + 3");
  await expect(chat.answers).toHaveText([/= 6/]);
  await chat.settled();
  const threadUrl = page.url();
  await page.getByRole("link", { name: "New thread" }).click();
  await chat.ask("sqrt(81)", "9");
  await new Inspector(page).open("Storage");
  const file = await (await exported(page, "Export all threads")).path();
  const before = await rowCounts(page);

  for (const title of ["sqrt(81)", "2 + 2"]) {
    await chat.threads.getByRole("button", { name: `Options for “${title}”` }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(chat.threads.getByRole("link", { name: title })).toBeHidden();
  }
  await choose(page, file);
  const importing = page.getByRole("region", { name: "Import" });
  await expect(importing).toContainText("is whole.");
  await expect(importing).toContainText("Nothing is changed yet.");
  await expect(chat.threads.getByRole("link")).toHaveCount(0);
  await importing.getByRole("button", { name: "Import 2 threads" }).click();
  await expect(importing).toContainText("2 threads are new");
  await expect(chat.threads.getByRole("link")).toHaveText([/sqrt\(81\)/, /2 \+ 2/]);
  expect((await rowCounts(page))["checkpoints"]).toBe(before["checkpoints"]);

  await page.goto(threadUrl);
  await expect(chat.answers).toHaveText([/= 6/]);
  await expect(chat.branch("2 of 2")).toBeVisible();
  await chat.ask("4 + 4", /= 8/);
});

test("a thread that went on is merged, and one that is copied comes beside it", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await new Inspector(page).open("Storage");
  const file = await (await exported(page, "Export this one")).path();
  await chat.ask("3 + 3", /= 6/);
  const longer = await (await exported(page, "Export this one")).path();
  await choose(page, file);
  const importing = page.getByRole("region", { name: "Import" });
  await expect(importing).toContainText("1 thread would be left alone");
  await importing.getByRole("radio", { name: "Replace" }).click();
  await expect(importing).toContainText("1 thread would be replaced");
  await importing.getByRole("radio", { name: "Copy" }).click();
  await expect(importing).toContainText("1 thread would be new");
  await importing.getByRole("button", { name: "Import 1 thread" }).click();
  await importing.getByRole("link", { name: "Open it" }).click();
  await expect(chat.said).toHaveText(["2 + 2"]);
  await chat.threads.getByRole("link").first().click();
  await expect(chat.said).toHaveText(["2 + 2", "3 + 3"]);

  await choose(page, file);
  await importing.getByRole("radio", { name: "Replace" }).click();
  await expect(importing).toContainText("1 thread would be replaced");
  await importing.getByRole("button", { name: "Import 1 thread" }).click();
  await expect(chat.said).toHaveText(["2 + 2"]);

  await chat.ask("5 + 5", /= 10/);
  await importing.getByRole("radio", { name: "Merge" }).click();
  await choose(page, longer);
  await expect(importing).toContainText("1 thread would be merged: 6 checkpoints more.");
  await importing.getByRole("button", { name: "Import 1 thread" }).click();
  await chat.branch("1 of 2").getByRole("button", { name: "The next branch" }).click();
  await expect(chat.said).toHaveText(["2 + 2", "3 + 3"]);
});

test("a damaged file, and one of something else, are refused with a sentence, and nothing changes", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await new Inspector(page).open("Storage");
  const file = readFileSync(await (await exported(page, "Export all threads")).path());
  const before = await rowCounts(page);
  const importing = page.getByRole("region", { name: "Import" });
  file[Math.floor(file.length / 2)]! ^= 1;
  await choose(page, { name: "bad.threads", mimeType: "", buffer: file });
  await expect(importing.getByRole("alert")).toContainText("The file is damaged or cut short. Nothing was changed.");
  await choose(page, { name: "picture.threads", mimeType: "", buffer: Buffer.from("GIF89a, and so on, and so on, and so on") });
  await expect(importing.getByRole("alert")).toContainText("This is not a file of threads");
  await expect(importing.getByRole("button", { name: /^Import/ })).toBeHidden();
  expect(await rowCounts(page)).toEqual(before);
  await expect(chat.answers).toHaveText([/= 4/]);
});

test("an export can be cancelled", async ({ chat, page }) => {
  await chat.openLong(10_000);
  await expect(chat.said.first()).toBeVisible();
  await new Inspector(page).open("Storage");
  await page.getByRole("button", { name: "Export all threads" }).click();
  await page.getByRole("region", { name: "Export" }).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("progressbar", { name: "Exported" })).toBeHidden();
  await expect(page.getByRole("alert")).toBeHidden();
});

test("the thread on the screen is written down for reading", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await new Inspector(page).open("Storage");
  const download = await exported(page, "Transcript");
  expect(download.suggestedFilename()).toBe("2-2.md");
  const text = readFileSync(await download.path(), "utf8");
  expect(text).toContain("2 + 2");
  expect(text).toContain("`2 + 2` = **4**");
});
