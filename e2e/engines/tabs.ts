import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EngineName, startEngine } from "./browsers.ts";
import { serveSite } from "./site.ts";

export interface Tabs {
  readonly engine: string;
  readonly tabs: number;
  /** Of each tab. */
  readonly steps: number;
  /** Steps of all tabs that were acknowledged. All of them were found. */
  readonly acknowledged: number;
}

/**
 * Several pages of one browser write at once, to the same threads and to different ones.
 * @throws Error when anything that they wrote is not there, or is not what they wrote
 */
export async function tabs(name: EngineName, { tabs: count, steps }: { readonly tabs: number; readonly steps: number }): Promise<Tabs> {
  await using engine = await startEngine(name);
  await using site = await serveSite();
  const profile = await mkdtemp(join(tmpdir(), "tabs-"));
  const pages = Array.from({ length: count }, (_, tab) => String(tab));
  const parameters = { part: "share", tabs: String(count), steps: String(steps) };
  const browser = engine.open(profile, pages.map((page) => `${site.url}?${new URLSearchParams({ page, ...parameters }).toString()}`));
  try {
    await site.until(pages, ({ found }) => found !== undefined);
    for (const page of pages) site.order(page, "go");
    await site.until(pages, ({ written }) => written);
    for (const page of pages) site.order(page, "go");
    await site.until(pages, ({ finished }) => finished);
  } finally {
    await browser.kill();
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
  return { engine: engine.title, tabs: count, steps, acknowledged: pages.reduce((sum, page) => sum + site.report(page).acknowledged, 0) };
}
