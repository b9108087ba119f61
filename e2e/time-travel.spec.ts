import { expect, test } from "./fixtures.ts";
import { Inspector } from "./inspector.ts";

test("the slider shows the thread as of any step, and back", { tag: "@core" }, async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await chat.ask("3 + 3", /= 6/);
  const before = await chat.transcript();
  const inspector = await new Inspector(page).open("Time");
  await expect(inspector.steps.getByRole("option").first()).toContainText("model");

  await inspector.press("Home");
  await expect(inspector.banner).toContainText("as of step -1");
  await expect(page.getByText("The thread had no messages at this step.")).toBeVisible();
  await inspector.press("ArrowRight");
  await expect(chat.said).toHaveText(["2 + 2"]);
  await inspector.press("ArrowRight", 4);
  await expect(inspector.banner).toContainText("as of step 4");
  await expect(chat.answers).toHaveText([/= 4/]);
  await expect(page.getByRole("region", { name: "The step" })).toContainText("Step 4 · model");

  await inspector.banner.getByRole("button", { name: "Back to now" }).click();
  expect(await chat.transcript()).toEqual(before);
});

test("steps are chosen from the timeline, with the keyboard too", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  const inspector = await new Inspector(page).open("Time");
  await inspector.steps.getByRole("option").filter({ hasText: "tool" }).click();
  await expect(inspector.banner).toContainText("as of step 2");
  await expect(page.getByRole("region", { name: "The step" })).toContainText("messages 4");
  await inspector.steps.focus();
  await page.keyboard.press("ArrowDown");
  await expect(inspector.banner).toContainText("as of step 1");
  await page.keyboard.press("Home");
  await expect(inspector.banner).toBeHidden();
});

test("the timeline grows while the agent runs, and names nodes, inputs and updates", async ({ chat, page }) => {
  const inspector = await new Inspector(page).open("Time");
  await expect(page.getByText("its steps will be listed here")).toBeVisible();
  await chat.say("Remember to buy oat milk");
  await expect(chat.approval).toBeVisible();
  await expect(inspector.steps.getByRole("option")).toHaveText([/1model/, /0start/, /-1input/]);
  await chat.approval.getByRole("button", { name: "Don’t save" }).click();
  await chat.settled();
  await expect(inspector.steps.getByRole("option").nth(1)).toContainText("update");
});

test("going on from an earlier step keeps what came after", { tag: "@core" }, async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await chat.ask("3 + 3", /= 6/);
  const inspector = new Inspector(page);
  await inspector.continueFrom(5);
  await expect(chat.said).toHaveText(["2 + 2"]);
  await chat.ask("5 * 5", /= 25/);
  await chat.reload();
  await expect(chat.said).toHaveText(["2 + 2", "5 * 5"]);
  await inspector.open("Branches");
  await expect(inspector.branches).toHaveText([/= 6/, /= 25/]);
});

test("an approval is asked again when one goes on from before it", async ({ chat, page }) => {
  await chat.say("Remember to buy oat milk");
  await chat.approval.getByRole("button", { name: "Don’t save" }).click();
  await chat.settled();
  const inspector = new Inspector(page);
  await inspector.continueFrom(2);
  await expect(chat.approval).toBeVisible();
  await chat.approval.getByRole("button", { name: "Save note" }).click();
  await expect(chat.answers.last()).toContainText("oat milk");
});
