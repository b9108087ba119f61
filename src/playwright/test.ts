import { expect as baseExpect, type Fixtures, type PlaywrightTestArgs, type PlaywrightTestOptions, test as base } from "@playwright/test";
import { PageThreads, type PageThreadsOptions } from "./page-threads.ts";

export interface ThreadFixtures {
  /** Which threads: an option of the project or of `test.use`. Default: the database `"langgraph"` at `baseURL`. */
  readonly threadStorage: Partial<PageThreadsOptions>;
  /** The threads of the test's browser context. */
  readonly threads: PageThreads;
}

/** The fixtures by themselves, for a `test` of your own: `base.extend(threadFixtures)`. */
export const threadFixtures: Fixtures<ThreadFixtures, object, PlaywrightTestArgs & PlaywrightTestOptions> = {
  threadStorage: [{}, { option: true }],
  threads: async ({ context, baseURL, threadStorage }, use) => {
    const { origin = baseURL, ...options } = threadStorage;
    if (origin === undefined) throw new Error("Where is the application? Set `baseURL` in the configuration, or `origin` in `threadStorage`.");
    const threads = new PageThreads(context, { origin, ...options });
    await use(threads);
    await threads.close();
  },
};

/** Playwright's `test`, with `threads`. */
export const test = base.extend<ThreadFixtures>(threadFixtures);

/** Playwright's `expect`, with `toHaveState`: waits until the state of a thread holds what is expected, as `toMatchObject` compares. */
export const expect = baseExpect.extend({
  async toHaveState(threads: PageThreads, id: string, expected: PlainPart, options: { readonly timeout?: number } = {}) {
    const polled = baseExpect.poll(async () => (await threads.state(id)) ?? {}, { message: `the state of the thread "${id}"`, ...options });
    try {
      await (this.isNot ? polled.not : polled).toMatchObject(expected);
      return { pass: !this.isNot, message: () => "" };
    } catch (error) {
      return { pass: this.isNot, message: () => (error instanceof Error ? error.message : String(error)) };
    }
  },
});

type PlainPart = Record<string, unknown>;
