import { expect, test } from "./fixtures.ts";

test("a thread of 10,000 messages opens at its end; older messages come on scrolling up, and nothing jumps", { tag: "@core" }, async ({ chat, page }) => {
  await chat.openLong(10_000);
  await expect(chat.answers.last()).toContainText("Answer 5000.");
  await expect(chat.answers.last()).toBeInViewport();
  expect(await chat.messages.getByRole("listitem").count()).toBeLessThan(60);

  const earlier = page.getByText("earlier messages");
  await expect(earlier).toHaveText(/9,940/);
  const scroller = page.locator(".messages");
  await scroller.evaluate((box) => box.scrollTo({ top: 700 }));
  const shifts = await scroller.evaluate(watchOneMessage);
  await expect(earlier).toHaveText(/9,820/);

  expect(shifts).toBeLessThan(3);
  await chat.page.getByRole("button", { name: "To the newest message" }).click();
  await expect(chat.answers.last()).toContainText("Answer 5000.");
  await expect(chat.answers.last()).toBeInViewport();
});

test("a run on a thread of 10,000 messages goes on where it is", async ({ chat, page }) => {
  await chat.openLong(10_000);
  await expect(chat.answers.last()).toContainText("Answer 5000.");
  await chat.ask("6 * 7", /= 42/);
  await expect(chat.answers.last()).toBeInViewport();
  await chat.reload();
  await expect(chat.answers.last()).toContainText("42");
  await chat.edit("6 * 7", "7 * 7");
  await expect(chat.answers.last()).toContainText("49");
  await chat.branch("2 of 2").getByRole("button", { name: "The branch before" }).click();
  await expect(chat.answers.last()).toContainText("42");
  await expect(page.getByRole("alert")).toBeHidden();
});

/** How far, at most, a message on the screen moves while messages are put above it. */
async function watchOneMessage(box: Element): Promise<number> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const visible = () => [...box.querySelectorAll("li")].find((each) => each.getBoundingClientRect().top > 150)!;
  await frame();
  await frame();
  const text = visible().textContent;
  const top = () => [...box.querySelectorAll("li")].find((each) => each.textContent === text)?.getBoundingClientRect().top;
  const before = top()!;
  const height = box.scrollHeight;
  let largest = 0;
  for (let frames = 0, grown = 0; frames < 600 && grown < 30; frames++) {
    await frame();
    if (box.scrollHeight !== height) grown++;
    largest = Math.max(largest, Math.abs((top() ?? Number.POSITIVE_INFINITY) - before));
  }
  return largest;
}
