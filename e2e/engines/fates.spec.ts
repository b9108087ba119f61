import { expect, test } from "@playwright/test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineNames, startEngine, type EngineName } from "./browsers.ts";
import { serveSite } from "./site.ts";

/** Opens a page that plays a part, as often as is said, each time in the browser started anew on the same profile. True when it has. */
async function play(name: EngineName, part: string, { isPrivate = false, times = 1 } = {}): Promise<boolean> {
  await using engine = await startEngine(name);
  await using site = await serveSite();
  const profile = await mkdtemp(join(tmpdir(), "fates-"));
  try {
    let played = 0;
    for (; played < times; played += 1) {
      const page = `${part}-${String(played)}`;
      const browser = engine.open(profile, [`${site.url}?${new URLSearchParams({ page, part }).toString()}`], { isPrivate });
      try {
        await site.until([page], ({ finished }) => finished);
      } finally {
        await browser.kill();
      }
      if (!site.report(page).finished) break;
    }
    return played === times;
  } finally {
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

    test("in a private window all works, and the next one finds nothing of it", async () => {
      expect(await play(name, "inPrivate", { isPrivate: true, times: 2 })).toBe(true);
      expect(await play(name, "inPrivate", { times: 2 }).catch((error: unknown) => String(error))).toMatch(/what is there of a window before/);
    });

    test("an encrypted database is written and read, with the worker as a bundler splits it", async () => {
      expect(await play(name, "encrypted")).toBe(true);
    });

    test("a sandboxed frame may not touch IndexedDB: the first use says so", async () => {
      expect(await play(name, "sandboxed")).toBe(true);
    });
  });
}
