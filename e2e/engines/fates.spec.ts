import { expect, test } from "@playwright/test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineNames, startEngine, type EngineName } from "./browsers.ts";
import { serveSite } from "./site.ts";

/** Opens a page that plays a part, and waits until it has. */
async function play(name: EngineName, part: string): Promise<boolean> {
  await using engine = await startEngine(name);
  await using site = await serveSite();
  const profile = await mkdtemp(join(tmpdir(), "fates-"));
  const browser = engine.open(profile, [`${site.url}?${new URLSearchParams({ page: part, part }).toString()}`]);
  try {
    await site.until([part], ({ finished }) => finished);
    return site.report(part).finished;
  } finally {
    await browser.kill();
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

for (const name of engineNames) {
  test.describe(name, () => {
    test("a page is left while it writes, and comes back from the back/forward cache: it goes on, and nothing is lost", async () => {
      expect(await play(name, "putAside")).toBe(true);
    });

    test("Clear-Site-Data deletes the database under a page: the saver says so, and makes none in its place", async () => {
      expect(await play(name, "cleared")).toBe(true);
    });

    test("a sandboxed frame may not touch IndexedDB: the first use says so", async () => {
      expect(await play(name, "sandboxed")).toBe(true);
    });
  });
}
