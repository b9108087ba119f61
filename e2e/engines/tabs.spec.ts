import { expect, test } from "@playwright/test";
import { engineNames } from "./browsers.ts";
import { tabs } from "./tabs.ts";

/* A smaller form of what `npm run tabs` does. */

for (const name of engineNames) {
  test.describe(name, () => {
    test("four tabs write to the same and to different threads at once: nothing is lost or mixed", async () => {
      const seen = await tabs(name, { tabs: 4, steps: 20 });
      expect(seen.acknowledged).toBe(80);
    });
  });
}
