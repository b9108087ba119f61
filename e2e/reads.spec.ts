import { expect, test } from "./fixtures.ts";
import { Inspector } from "./inspector.ts";

test("a read is shown with its rows, its bytes and its stages", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await chat.reload();
  await new Inspector(page).open("Reads");
  await expect(page.getByText("Nothing was read since this view was opened.")).toBeVisible();
  await page.getByRole("button", { name: "Read the last 20 messages" }).click();
  const last = page.getByRole("region", { name: "The last read" });
  await expect(last).toContainText("slice");
  await expect(last).toContainText("in the worker");
  await expect(last).toContainText(/\d+ requests?/);
  for (const stage of ["IndexedDB", "Replay", "To the page", "Decoding"]) await expect(last).toContainText(new RegExp(`${stage}[\\d.]+ ms`));
  await page.getByRole("button", { name: "Read the whole state" }).click();
  await expect(last).toContainText("in memory already (100 %)");
  await expect(page.getByRole("table", { name: /The last reads/ }).getByRole("rowheader")).toHaveText(["state", "slice"]);
});

test("ten thousand messages are read in the worker and on the page, and the frames are counted", async ({ chat, page }) => {
  await new Inspector(page).open("Reads");
  await expect(chat.field).toBeVisible();
  const trial = page.getByRole("region", { name: "Worker or page" });
  for (const [button, heading] of [["Read in the worker", "In the worker"], ["Read on the page", "On the page"]] as const) {
    await trial.getByRole("button", { name: button }).click();
    await expect(trial.getByRole("heading", { name: heading })).toBeVisible({ timeout: 60_000 });
  }
  await expect(trial.getByText(/Longest frame [\d.]+ ms/)).toHaveCount(2);
});
