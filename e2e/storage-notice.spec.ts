import { expect, test } from "./fixtures.ts";
import { damageContent } from "./storage.ts";

test("a damaged thread is said to be, and is repaired from there", async ({ chat, page }) => {
  await chat.ask("2 + 2", /= 4/);
  await damageContent(page);
  await page.reload();
  const notice = page.getByRole("status", { name: "Storage" });
  await expect(notice).toContainText("A stored record of this thread is damaged");
  await notice.getByRole("button", { name: "Verify and repair" }).click();
  const verification = page.getByRole("region", { name: "Verification" });
  await verification.getByRole("button", { name: "Verify" }).click();
  await expect(verification).toContainText(/problems? found/);
  await verification.getByRole("button", { name: "Repair" }).click();
  await expect(verification).toContainText("1 thread repaired.");
  await expect(verification).toContainText("All is well.");
  await expect(notice).toBeEmpty();
  await chat.ask("3 + 3", /= 6/);
});

test("little room is said, and old threads that are not pinned go if one wants", async ({ chat, page }) => {
  // Some browsers tell every site of gigabytes that are left, whatever its quota.
  await page.addInitScript(() => {
    StorageManager.prototype.estimate = () => Promise.resolve({ usage: 19_000_000, quota: 20_000_000 });
  });
  await page.reload();
  for (const question of ["2 + 2", "3 + 3", "4 + 4", "5 + 5"]) {
    await page.getByRole("link", { name: "New thread" }).click();
    await chat.ask(question, /=/);
    if (question === "3 + 3") await chat.ask("6 + 6", /= 12/); // Half of the room is then had back from two threads.
  }
  await chat.threads.getByRole("button", { name: "Options for “2 + 2”" }).click();
  await page.getByRole("menuitem", { name: "Pin" }).click();
  const notice = page.getByRole("status", { name: "Storage" });
  await expect(notice).toContainText(/Of this site’s room of 20.0 MB only 1.00 MB are left/);
  await notice.getByRole("button", { name: "Make room" }).click();
  const old = page.getByRole("region", { name: "Old threads" });
  await old.getByRole("button", { name: "Show what would go" }).click();
  await expect(old.getByRole("listitem")).toHaveText([/^3 \+ 3, [\d.]+ KB$/, /^4 \+ 4, [\d.]+ KB$/]);
  await expect(chat.threads.getByRole("link")).toHaveCount(4);
  await old.getByRole("button", { name: "Delete 2 threads" }).click();
  await expect(old).toContainText(/2 threads deleted, [\d.]+ KB given back/);
  await expect(chat.threads.getByRole("link")).toHaveText([/2 \+ 2/, /5 \+ 5/]);

  await notice.getByRole("button", { name: "Hide the notice" }).click();
  await expect(notice).toBeEmpty();
});
