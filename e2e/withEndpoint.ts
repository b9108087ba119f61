import { fillIn } from "./chat.ts";
import { Endpoint } from "./endpoint.ts";
import { expect, test as base } from "./fixtures.ts";

/** The demo with an endpoint set up in its settings, which the test answers for. */
export const test = base.extend<{ endpoint: Endpoint }>({
  endpoint: async ({ chat: { page } }, use) => {
    const endpoint = new Endpoint();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("radio", { name: "OpenAI-compatible endpoint" }).click();
    await fillIn(page.getByLabel("Base URL"), await endpoint.listen());
    await fillIn(page.getByRole("textbox", { name: "Model" }), "test-model");
    await fillIn(page.getByLabel("API key"), "secret");
    await page.getByRole("button", { name: "Close" }).click();
    await use(endpoint);
    await endpoint.close();
  },
});

export { expect };
