import { expect, test } from "./fixtures.ts";

test.use({ serviceWorker: true });

declare global {
  var violations: string[];
}

test("under a strict policy with Trusted Types nothing is refused, from the first tool to the last", { tag: "@core" }, async ({ chat, page }) => {
  await page.addInitScript(() => {
    globalThis.violations = [];
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) => {
      globalThis.violations.push(`${effectiveDirective} ${blockedURI} at ${sourceFile}:${String(lineNumber)}`);
    });
  });
  await page.goto("/");
  expect((await page.request.get("/")).headers()["content-security-policy"]).toContain("require-trusted-types-for 'script'");
  await expect(page.locator("meta[http-equiv='Content-Security-Policy']")).toHaveAttribute("content", /script-src 'self'; worker-src 'self'/);

  await chat.ask("What is 18 * 37, and convert 26.2 miles to km; how many days until 24 December?", "666");
  await chat.say("note: fish & chips &amp; <b>peas</b>");
  await chat.approval.getByRole("button", { name: "Save note" }).click();
  await expect(chat.answers.last()).toContainText("Saved");
  await chat.settled();
  await chat.edit("note: fish & chips &amp; <b>peas</b>", "sqrt(16)");
  await expect(chat.answers.last()).toContainText("4");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.keyboard.press("Escape");

  expect(await page.evaluate(() => globalThis.violations)).toEqual([]);
});
