import { type Browser, chromium, expect, firefox, type Page, test as base } from "@playwright/test";
import { chromiumArgs, chromiumPath, firefoxPath } from "../../scripts/browsers.mjs";
import { serveSite, type Site } from "./site.ts";

/* Tabs that are not well, and tabs of another release. */

const launch = {
  chromium: () => chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs }),
  firefox: () => firefox.launch({ executablePath: firefoxPath(), channel: "moz-firefox" }),
};

interface Fixtures {
  readonly engine: keyof typeof launch;
  readonly site: Site;
  readonly launched: Browser;
  /** Opens a tab of one profile. */
  readonly tab: (path?: "handle" | "later") => Promise<Page>;
}

const test = base.extend<Fixtures>({
  engine: ["chromium", { option: true }],
  site: async ({}, use) => {
    await using site = await serveSite();
    await use(site);
  },
  launched: async ({ engine }, use) => {
    const browser = await launch[engine]();
    await use(browser);
    await browser.close();
  },
  tab: async ({ site, launched }, use) => {
    const context = await launched.newContext();
    await use(async (path = "handle") => {
      const page = await context.newPage();
      await page.goto(`${site.url}${path}`);
      await page.waitForFunction(() => "handle" in globalThis);
      return page;
    });
  },
});

const put = (page: Page, thread: string) => page.evaluate((id) => globalThis.handle.put(id), thread);
const count = (page: Page, thread: string) => page.evaluate((id) => globalThis.handle.count(id), thread);
const write = (page: Page, thread: string) => page.evaluate((id) => globalThis.handle.write(id), thread);
const written = (page: Page) => page.evaluate(() => globalThis.handle.written);
const problems = (page: Page) => page.evaluate(() => globalThis.handle.problems());

test("a tab crashes while it writes: another finds what was acknowledged, and writes", async ({ tab }) => {
  const [crashing, other] = [await tab(), await tab()];
  await write(crashing, "thread");
  await expect.poll(() => written(crashing)).toBeGreaterThan(20);
  const acknowledged = await written(crashing);
  const session = await crashing.context().newCDPSession(crashing);
  const crashed = crashing.waitForEvent("crash");
  void session.send("Page.crash").catch(() => undefined);
  await crashed;

  expect(await count(other, "thread")).toBeGreaterThanOrEqual(acknowledged);
  expect(await put(other, "other")).toBe("done");
  expect(await problems(other)).toEqual([]);
});

test("there is no room for a database: the first use says so, and there is one once there is room", async ({ tab, site }) => {
  const page = await tab();
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(site.url);
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
  expect(await put(page, "thread")).toBe("quota-exceeded");

  await session.send("Storage.overrideQuotaForOrigin", { origin });
  expect(await put(page, "thread")).toBe("done");
  expect(await count(page, "thread")).toBe(1);
  expect(await problems(page)).toEqual([]);
});

test("a tab is frozen while it writes: the others go on, and so does it when it wakes", async ({ tab }) => {
  const [frozen, other] = [await tab(), await tab()];
  const session = await frozen.context().newCDPSession(frozen);
  await write(frozen, "thread");
  let known = 0;
  for (let round = 0; round < 5; round += 1) {
    await expect.poll(() => written(frozen)).toBeGreaterThan(known + 5);
    await session.send("Page.setWebLifecycleState", { state: "frozen" });
    for (let step = 0; step < 5; step += 1) expect(await put(other, "other")).toBe("done");
    await session.send("Page.setWebLifecycleState", { state: "active" });
    known = await written(frozen);
  }
  const last = await frozen.evaluate(() => globalThis.handle.stop());
  expect(await count(other, "thread")).toBeGreaterThanOrEqual(last);
  expect(await count(other, "other")).toBe(25);
  expect(await problems(other)).toEqual([]);
});

test("a tab is frozen while it holds a thread's lock: the others can give up waiting, and write without it", async ({ tab }) => {
  const [frozen, other] = [await tab(), await tab()];
  await frozen.evaluate(() => globalThis.handle.lock("thread"));
  const session = await frozen.context().newCDPSession(frozen);
  await session.send("Page.setWebLifecycleState", { state: "frozen" });

  expect(await other.evaluate(() => globalThis.handle.tryLock("thread", 500))).toBe("TimeoutError");
  expect(await put(other, "thread")).toBe("done");

  await frozen.close();
  expect(await other.evaluate(() => globalThis.handle.tryLock("thread", 10_000))).toBe("taken");
});

test("a tab is frozen while it holds a transaction: the others are told in time, and write once it is closed", async ({ tab }) => {
  const [frozen, other] = [await tab(), await tab()];
  expect(await put(other, "thread")).toBe("done");
  await frozen.evaluate(() => globalThis.handle.occupy());
  const session = await frozen.context().newCDPSession(frozen);
  await session.send("Page.setWebLifecycleState", { state: "frozen" });

  expect(await put(other, "thread")).toBe("timeout");

  await frozen.close();
  expect(await put(other, "thread")).toBe("done");
  expect(await count(other, "thread")).toBe(2);
  expect(await problems(other)).toEqual([]);
});

for (const engine of ["chromium", "firefox"] as const) {
  test.describe(engine, () => {
    test.use({ engine });

    test("a later release opens the database: the old tab lets go of it and is refused, the new one goes on", async ({ tab }) => {
      const old = await tab();
      expect(await put(old, "thread")).toBe("done");
      const newer = await tab("later");

      expect(await put(newer, "other")).toBe("done");
      expect(await count(newer, "thread")).toBe(1);
      expect(await put(old, "thread")).toBe("unsupported-format");
      expect(await put(newer, "other")).toBe("done");
    });

    test("a tab that does not let go of the database: the later release says so in time, and opens it afterwards", async ({ tab }) => {
      const old = await tab();
      expect(await put(old, "thread")).toBe("done");
      expect(await old.evaluate(() => globalThis.handle.hold())).toBe(1);
      const newer = await tab("later");

      expect(await put(newer, "other")).toBe("open-blocked");

      await old.close();
      expect(await put(newer, "other")).toBe("done");
      expect(await count(newer, "thread")).toBe(1);
    });
  });
}
