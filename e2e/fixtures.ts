import { chromium, type BrowserContext, type Page } from "@playwright/test";
import { expect, test as base } from "langgraph-checkpoint-indexeddb/playwright";
import { Chat } from "./chat.ts";
import { Profile } from "./profile.ts";

interface Fixtures {
  /** What a console error must match to be part of the test. Everything else fails it. */
  readonly expectedErrors: RegExp;
  readonly watched: (context: BrowserContext) => void;
  readonly chat: Chat;
  readonly profile: Profile;
}

const NOTHING = /^\b$/;

export const test = base.extend<Fixtures>({
  threadStorage: { name: "demo" },

  expectedErrors: [NOTHING, { option: true }],

  watched: async ({ expectedErrors }, use) => {
    const errors: string[] = [];
    const watchPage = (page: Page) => {
      page.on("pageerror", (error) => errors.push(`uncaught: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error" && !expectedErrors.test(message.text())) errors.push(message.text());
      });
    };
    await use((context) => {
      context.pages().forEach(watchPage);
      context.on("page", watchPage);
    });
    expect(errors, "errors in the console").toEqual([]);
  },

  context: async ({ context, watched }, use) => {
    watched(context);
    await use(context);
  },

  chat: async ({ page }, use) => {
    await use(await new Chat(page).open());
  },

  profile: async ({ watched, baseURL, launchOptions }, use, { outputDir }) => {
    const options = { ...launchOptions, ...(baseURL !== undefined && { baseURL }) };
    const launch = (folder: string) => chromium.launchPersistentContext(folder, options);
    const profile = new Profile({ folder: `${outputDir}-profile`, watched, launch });
    await use(profile);
    await profile.discard();
  },
});

export { expect };
