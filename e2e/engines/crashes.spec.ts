import { expect, test } from "@playwright/test";
import { engineNames } from "./browsers.ts";
import { crashes } from "./crashes.ts";

/* A few rounds of what `npm run crashes` does for longer. */

for (const name of engineNames) {
  test.describe(name, () => {
    test("the browser is killed while pages write: every acknowledged checkpoint is there, and the threads go on", async () => {
      const seen = await crashes(name, { rounds: 3 });
      expect(seen.acknowledged).toBeGreaterThan(0);
      expect(seen.lost).toBe(0);
    });
  });
}
