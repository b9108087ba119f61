import { inTurn, streams } from "./endpoint.ts";
import { expect, test } from "./withEndpoint.ts";

test("an earlier message is edited: both ways stay, one click apart, also after a reload", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await chat.ask("3 + 3", /= 6/);

  await chat.edit("2 + 2", "20 + 20");
  await expect(chat.answers).toHaveText([/= 40/]);
  await expect(chat.said).toHaveText(["20 + 20"]);
  await expect(chat.branch("2 of 2")).toBeVisible();

  await chat.branch("2 of 2").getByRole("button", { name: "The branch before" }).click();
  await expect(chat.said).toHaveText(["2 + 2", "3 + 3"]);
  await expect(chat.branch("1 of 2")).toBeVisible();
  await chat.reload();
  await expect(chat.said).toHaveText(["2 + 2", "3 + 3"]);

  await chat.ask("4 + 4", /= 8/);
  await expect(chat.said).toHaveText(["2 + 2", "3 + 3", "4 + 4"]);
  await chat.branch("1 of 2").getByRole("button", { name: "The next branch" }).click();
  await expect(chat.said).toHaveText(["20 + 20"]);
  await expect(page.getByRole("alert")).toBeHidden();
});

test("an answer is given again: the first one is not lost", { tag: "@core" }, async ({ chat, endpoint, page }) => {
  endpoint.answer = inTurn(streams({ content: "Paris." }), streams({ content: "Lyon." }), streams({ content: "Nice." }));
  await chat.ask("Name a city", "Paris.");
  await page.getByRole("button", { name: "Answer again" }).click();
  await expect(chat.answers).toHaveText(["Lyon."]);
  await expect(chat.branch("2 of 2")).toBeVisible();
  await page.getByRole("button", { name: "Answer again" }).click();
  await expect(chat.answers).toHaveText(["Nice."]);

  await chat.branch("3 of 3").getByRole("button", { name: "The branch before" }).click();
  await expect(chat.answers).toHaveText(["Lyon."]);
  await chat.branch("2 of 3").getByRole("button", { name: "The branch before" }).click();
  await expect(chat.answers).toHaveText(["Paris."]);
  expect(endpoint.requests.map(({ body }) => body.messages.length)).toEqual([2, 2, 2]); // The instructions and the question.
});

test("an answer that is stopped while it is given again does not hide the first one", async ({ chat, page }) => {
  await chat.ask("Can you sing?", "Settings");
  await page.getByRole("button", { name: "Answer again" }).click();
  await expect(page.locator(".answer[aria-hidden] .markdown")).toContainText("I am"); // Stopped before it begins, an answer leaves nothing.
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText("Stopped. What had finished is kept.")).toBeVisible();
  await chat.branch("2 of 2").getByRole("button", { name: "The branch before" }).click();
  await expect(chat.answers).toContainText("Settings");
});

test("a new thread begins with what this one holds", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await chat.ask("3 + 3", /= 6/);
  await chat.answer(0).hover();
  await chat.answer(0).getByRole("button", { name: "New thread from here" }).click();
  await expect(page.getByRole("heading", { name: "2 + 2 (copy)", level: 1 })).toBeVisible();
  await expect(chat.said).toHaveText(["2 + 2"]);
  await chat.ask("5 + 5", /= 10/);
  await chat.threads.getByRole("link", { name: /^2 \+ 2(?! \(copy)/ }).click();
  await expect(chat.said).toHaveText(["2 + 2", "3 + 3"]);
});

test("a branch that was chosen in one tab is shown in the other", async ({ chat, context }) => {
  await chat.ask("2 + 2", /= 4/);
  await chat.edit("2 + 2", "3 + 3");
  await expect(chat.answers).toHaveText([/= 6/]);
  await chat.settled();
  const page = await context.newPage();
  await page.goto(chat.page.url());
  const other = chat.in(page);
  await expect(other.said).toHaveText(["3 + 3"]);
  await chat.branch("2 of 2").getByRole("button", { name: "The branch before" }).click();
  await expect(other.said).toHaveText(["2 + 2"]);
});
