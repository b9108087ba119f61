import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

declare global {
  var prompted: { readonly initialPrompts: readonly unknown[]; readonly prompt: string }[];
}

/** A browser that has a language model, or none. */
const withModel = (page: Page, availability: string): Promise<unknown> =>
  page.addInitScript((state) => {
    globalThis.prompted = [];
    const create = ({ initialPrompts }: { initialPrompts: readonly unknown[] }) =>
      Promise.resolve({
        promptStreaming(prompt: string) {
          globalThis.prompted.push({ initialPrompts, prompt });
          return new ReadableStream<string>({
            start(controller) {
              controller.enqueue("You said ");
              controller.enqueue(`**${prompt}**`);
              controller.close();
            },
          });
        },
        destroy() {},
      });
    Object.defineProperty(globalThis, "LanguageModel", { value: { availability: () => Promise.resolve(state), create }, configurable: true });
  }, availability);

const choice = (page: Page) => page.getByRole("radio", { name: "The browser’s own model" });

test("the browser's own model answers, and hears what was said before", async ({ chat, page }) => {
  await withModel(page, "available");
  await chat.open();
  await page.getByRole("button", { name: "Settings" }).click();
  await choice(page).click();
  await page.getByRole("button", { name: "Close" }).click();
  await expect(page.getByText("The browser’s own model. Nothing leaves this browser.")).toBeVisible();

  await chat.ask("Hello", "You said Hello");
  await chat.ask("Again", "You said Again");

  const [, second] = await page.evaluate(() => globalThis.prompted);
  expect(second).toEqual({
    prompt: "Again",
    initialPrompts: [expect.objectContaining({ role: "system" }), { role: "user", content: "Hello" }, { role: "assistant", content: "You said **Hello**" }],
  });
});

test("a browser without one says so, and it cannot be chosen", async ({ chat, page }) => {
  await withModel(page, "unavailable");
  await chat.open();
  await page.getByRole("button", { name: "Settings" }).click();
  await expect(choice(page)).toBeDisabled();
  await expect(page.getByText("This browser has none that a page may use.")).toBeVisible();
});
