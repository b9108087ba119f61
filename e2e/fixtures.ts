import { chromium, type BrowserContext, type Page } from "@playwright/test";
import { expect, test as base } from "langgraph-checkpoint-indexeddb/playwright";
import { Chat } from "./chat.ts";
import { Profile } from "./profile.ts";

interface Fixtures {
  /** What a console error must match to be part of the test. Everything else fails it. */
  readonly expectedErrors: RegExp;
  /** Whether the page may have a service worker, which takes room and answers for the network. */
  readonly serviceWorker: boolean;
  readonly watched: (context: BrowserContext) => Promise<void>;
  readonly chat: Chat;
  readonly profile: Profile;
}

const NOTHING = /^\b$/;

export const test = base.extend<Fixtures>({
  threadStorage: { name: "demo" },

  expectedErrors: [NOTHING, { option: true }],

  serviceWorker: [false, { option: true }],

  watched: async ({ expectedErrors, serviceWorker }, use) => {
    const errors: string[] = [];
    const watchPage = (page: Page) => {
      page.on("pageerror", (error) => errors.push(`uncaught: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error" && !expectedErrors.test(message.text())) errors.push(message.text());
      });
    };
    await use(async (context) => {
      context.pages().forEach(watchPage);
      context.on("page", watchPage);
      if (!serviceWorker) await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "serviceWorker"));
    });
    expect(errors, "errors in the console").toEqual([]);
  },

  context: async ({ context, watched }, use) => {
    await watched(context);
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
