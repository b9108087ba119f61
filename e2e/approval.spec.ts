import { expect, test } from "./fixtures.ts";
import { toolRuns } from "./storage.ts";

test("the question before an effect is still open after a reload, and nothing was done", async ({ chat, page }) => {
  await chat.say("Remember to buy oat milk");
  await expect(chat.approval).toContainText("buy oat milk");
  await chat.reload();
  await expect(chat.approval).toContainText("buy oat milk");
  expect(await toolRuns(page)).toEqual([]);

  await chat.approval.getByRole("button", { name: "Save note" }).click();

  await expect(chat.answers.last()).toContainText("Saved the note “buy oat milk”.");
  await expect(chat.approval).toBeHidden();
  expect(await toolRuns(page)).toEqual([{ tool: "save_note", starts: 1, finished: true }]);
  await page.getByRole("button", { name: "Notes" }).click();
  await expect(page.getByRole("dialog").getByRole("listitem")).toHaveCount(1);
});

test("a declined effect is not done, and the decision is stored", async ({ chat, page }) => {
  await chat.say("Remember to buy oat milk");
  await chat.approval.getByRole("button", { name: "Don’t save" }).click();
  await expect(chat.answers.last()).toContainText("you declined");
  await chat.reload();
  await expect(chat.answers.last()).toContainText("you declined");
  await expect(chat.approval).toBeHidden();
  expect(await toolRuns(page)).toEqual([]);
});

test("harmless tools run before the question, and every effect is asked for by itself", async ({ chat, page }) => {
  await chat.say("6 * 7; note: water the plants; note: call the bank");
  await expect(chat.approval).toContainText("water the plants");
  await expect(chat.tool("Calculate").getByRole("img", { name: "done", exact: true })).toBeVisible();
  await chat.approval.getByRole("button", { name: "Save note" }).click();
  await expect(chat.approval).toContainText("call the bank");
  await chat.reload();
  await expect(chat.approval).toContainText("call the bank");
  await chat.approval.getByRole("button", { name: "Don’t save" }).click();
  await expect(chat.answers.last()).toContainText("water the plants");
  await chat.settled();
  expect((await toolRuns(page)).map(({ tool, starts }) => `${tool} ${String(starts)}`).sort()).toEqual(["calculate 1", "save_note 1"]);
});

test("a note is found first and deleted only after approval", { tag: "@core" }, async ({ chat }) => {
  await chat.say("note: buy oat milk");
  await chat.approval.getByRole("button", { name: "Save note" }).click();
  await expect(chat.answers.last()).toContainText("Saved");
  await chat.settled();
  await chat.say("delete the note about milk");
  await expect(chat.approval).toContainText("buy oat milk");
  await chat.approval.getByRole("button", { name: "Delete note" }).click();
  await expect(chat.answers.last()).toContainText("Deleted the note “buy oat milk”.");
  await chat.settled();
  await chat.ask("show my notes", "no notes yet");
});
