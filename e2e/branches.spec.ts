import { expect, test } from "./fixtures.ts";
import { Inspector } from "./inspector.ts";

test("branches are drawn, visited with one click, and compared", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await chat.ask("3 + 3", /= 6/);
  const inspector = await new Inspector(page).open("Branches");
  await expect(page.getByRole("img", { name: "1 branches" })).toBeVisible();
  await expect(page.getByText("One branch so far.")).toBeVisible();
  await inspector.continueFrom(5);
  await chat.ask("5 * 5", /= 25/);

  await inspector.open("Branches");
  await expect(page.getByRole("img", { name: "2 branches" })).toBeVisible();
  await expect(inspector.branches.nth(1)).toContainText("goes on now");
  await inspector.branches.nth(0).getByRole("button").first().click();
  await expect(inspector.banner).toBeVisible();
  await expect(chat.said).toHaveText(["2 + 2", "3 + 3"]);

  await inspector.branches.nth(1).getByRole("button", { name: /^Compare/ }).click();
  const comparison = page.getByRole("region", { name: "Comparison" });
  await expect(comparison).toContainText("Both begin with the same 4 messages.");
  await expect(comparison.getByRole("listitem")).toHaveText([/3 \+ 3/, /calculate/, /6/, /= 6/, /5 \* 5/, /calculate/, /25/, /= 25/]);

  await inspector.branches.nth(1).getByRole("button").first().click();
  await expect(inspector.banner).toBeHidden();
  await expect(chat.said).toHaveText(["2 + 2", "5 * 5"]);
});

test("a branch of the tree goes on where it ended", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await chat.ask("3 + 3", /= 6/);
  const inspector = new Inspector(page);
  await inspector.continueFrom(5);
  await chat.ask("5 * 5", /= 25/);
  await inspector.open("Branches");
  await inspector.branches.nth(0).getByRole("button").first().click();
  await inspector.banner.getByRole("button", { name: "Continue from here" }).click();
  await expect(chat.said).toHaveText(["2 + 2", "3 + 3"]);
  await chat.ask("4 + 4", /= 8/);
  await expect(chat.said).toHaveText(["2 + 2", "3 + 3", "4 + 4"]);
});
