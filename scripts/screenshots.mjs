// Takes the pictures of the demo that the README shows, light and dark: npm run screenshots [-- <view> …]
import { mkdirSync } from "node:fs";
import { chromium } from "playwright";
import { build, preview } from "vite";
import { chromiumArgs, chromiumPath } from "./browsers.mjs";

const folder = process.env["SCREENSHOTS"] ?? "demo/screenshots";
const wanted = process.argv.slice(2);

/** @typedef {import("playwright").Page} Page */

/** @param {Page} page @param {string} text @param {string | RegExp} answer */
async function ask(page, text, answer) {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator(".markdown").filter({ hasText: answer }).last().waitFor();
  await page.getByRole("button", { name: "Send" }).waitFor();
}

/** @param {Page} page */
async function talk(page) {
  await ask(page, "What is 18 * 37, and convert 26.2 miles to km", "666");
  await ask(page, "How many days until 24 December?", "24 December");
}

/** @param {Page} page @param {string} [tab] */
async function inspect(page, tab = "Time") {
  await page.getByRole("button", { name: "Inspect", exact: true }).click();
  await page.getByRole("tab", { name: tab }).click();
}

/** @param {Page} page */
async function branched(page) {
  await talk(page);
  await inspect(page);
  const slider = page.getByRole("slider", { name: "Step" });
  await slider.press("Home");
  for (let step = 0; step < 5; step++) await slider.press("ArrowRight");
  await page.getByRole("button", { name: "Continue from here" }).click();
  await page.getByRole("button", { name: "Send" }).waitFor();
  await ask(page, "What is 2 ^ 16?", "65");
}

/** @type {Record<string, { phone?: boolean, show: (page: Page) => Promise<void> }>} */
const views = {
  approval: {
    async show(page) {
      await ask(page, "What is 18 * 37, and convert 26.2 miles to km", "666");
      await page.getByRole("textbox", { name: "Message" }).fill("Remember to buy oat milk");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("region", { name: "Approval" }).waitFor();
    },
  },
  time: {
    async show(page) {
      await talk(page);
      await inspect(page);
      const slider = page.getByRole("slider", { name: "Step" });
      await slider.press("Home");
      for (let step = 0; step < 5; step++) await slider.press("ArrowRight");
      await page.getByText("The thread as of step").waitFor();
    },
  },
  branches: {
    async show(page) {
      await branched(page);
      await page.getByRole("tab", { name: "Branches" }).click();
      await page.getByRole("button", { name: /^Compare/ }).first().click();
      await page.getByRole("region", { name: "Comparison" }).waitFor();
    },
  },
  growth: {
    async show(page) {
      await ask(page, "What is 18 * 37?", "666");
      await inspect(page, "Growth");
      await page.getByRole("button", { name: "Make a thread of" }).click();
      await page.getByRole("link", { name: "Open the thread" }).click({ timeout: 300_000 });
      await page.getByRole("img", { name: /1,?500 checkpoints/ }).waitFor();
    },
  },
  reads: {
    async show(page) {
      await talk(page);
      await inspect(page, "Reads");
      await page.getByRole("button", { name: "Read the whole state" }).click();
      await page.getByRole("button", { name: "Read in the worker" }).click();
      await page.getByText("In the worker", { exact: true }).waitFor({ timeout: 120_000 });
      await page.getByRole("button", { name: "Read on the page" }).click();
      await page.getByText("On the page", { exact: true }).waitFor({ timeout: 120_000 });
    },
  },
  storage: {
    async show(page) {
      await talk(page);
      await inspect(page, "Storage");
      await page.getByRole("button", { name: "Verify" }).click();
      await page.getByText("All is well.").waitFor();
    },
  },
  phone: {
    phone: true,
    async show(page) {
      await talk(page);
      await inspect(page);
      await page.getByRole("slider", { name: "Step" }).press("PageDown");
      await page.getByText("The thread as of step").waitFor();
    },
  },
};

await build({ logLevel: "error" });
const server = await preview({ preview: { port: 0, host: "localhost" } });
const address = server.resolvedUrls?.local[0] ?? "";
const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs });
mkdirSync(folder, { recursive: true });
try {
  for (const [view, { phone = false, show }] of Object.entries(views)) {
    if (wanted.length > 0 && !wanted.includes(view)) continue;
    const page = await browser.newPage({ viewport: phone ? { width: 390, height: 844 } : { width: 1360, height: 820 }, colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(address);
    await show(page);
    await page.mouse.move(0, 0);
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${folder}/${colorScheme}-${view}.png` });
    }
    await page.close();
    console.log(view);
  }
} finally {
  await browser.close();
  await server.close();
}
