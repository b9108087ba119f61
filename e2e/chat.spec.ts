import { expect, test } from "./fixtures.ts";

test("messages, tool calls and answers are all there after a reload", { tag: "@core" }, async ({ chat }) => {
  await chat.ask("What is 18 * 37, and convert 26.2 miles to km", "666");
  await chat.ask("How many days until 24 December?", "24 December");
  await chat.ask("Can you sing?", "not a language model");
  const before = await chat.transcript();

  await chat.reload();

  await expect(chat.said).toHaveText(["What is 18 * 37, and convert 26.2 miles to km", "How many days until 24 December?", "Can you sing?"]);
  expect(await chat.transcript()).toEqual(before);
});

test("the state can be built on after a reload", async ({ chat }) => {
  await chat.ask("Wait 1 second", "1 second is over");
  await chat.reload();
  await chat.ask("sqrt(144) + 1", "13");
  await chat.reload();
  await expect(chat.said).toHaveText(["Wait 1 second", "sqrt(144) + 1"]);
  await expect(chat.answers.last()).toContainText("13");
});

test("an unsent message is kept as a draft of its thread", async ({ chat }) => {
  await chat.ask("2 + 2", "4");
  await chat.field.fill("and what about");
  await chat.threads.page().getByRole("link", { name: "New thread" }).click();
  await expect(chat.field).toHaveValue("");
  await chat.page.goBack();
  await expect(chat.field).toHaveValue("and what about");
  await chat.reload();
  await expect(chat.field).toHaveValue("and what about");
});

test("a tool that fails is an answer, not the end of the run", async ({ chat }) => {
  await chat.ask("convert 5 km to sausages", "did not work");
  await expect(chat.tool("Convert").getByRole("img", { name: "not done" })).toBeVisible();
  await chat.ask("5 * 5", "25");
});

test("everything can be done with the keyboard", async ({ chat, page }) => {
  await expect(chat.field).toBeFocused();
  await page.keyboard.type("7 * 6");
  await page.keyboard.press("Enter");
  await expect(chat.answers.last()).toContainText("42");
  await expect(chat.field).toBeFocused();
  await page.keyboard.type("one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two");
  await expect(chat.field).toHaveValue("one\ntwo");
});
