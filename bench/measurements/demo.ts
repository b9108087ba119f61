import { build } from "vite";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import type { Claim } from "../driver/claim.ts";
import type { Measurement } from "../driver/measurement.ts";
import { serve } from "../driver/serve.ts";
import { median } from "../driver/statistics.ts";
import { ms, table } from "../driver/table.ts";
import type { Held } from "../page/main-thread.ts";

interface OpenedRow {
  readonly messages: number;
  readonly rounds: readonly Held[];
}

const rounds = 7;

/** Whether the demo keeps its frames while a long thread opens: LangGraph, React, Markdown and all. */
export const demo: Measurement<readonly OpenedRow[]> = {
  name: "demo",
  title: "The demo opens a thread",
  async measure({ browser, folder, quick }) {
    await build({ configFile: fileURLToPath(new URL("../../vite.config.ts", import.meta.url)), logLevel: "warn", build: { outDir: join(folder, "demo") } });
    const rows: OpenedRow[] = [];
    for (const messages of quick ? [20, 1000] : [20, 10_000]) {
      await using server = await serve(folder);
      await using tab = await browser.open(server);
      const id = await tab.call("seedDemo", messages);
      const seen: Held[] = [];
      for (let round = 0; round < rounds; round += 1) seen.push(await tab.call("openInDemo", id, messages));
      rows.push({ messages, rounds: seen });
    }
    return rows;
  },
  claims(rows) {
    const long = rows.at(-1);
    return [
      { what: `the demo: longest frame while ${long?.messages ?? 0} messages open`, unit: "ms", value: long && median(long.rounds.map(({ longestFrameMs }) => longestFrameMs)), bound: { atMost: 50 } },
    ] satisfies Claim[];
  },
  tables(rows) {
    const of = (seen: readonly Held[], part: keyof Held) => ms(median(seen.map((held) => held[part])));
    return [
      table(
        ["messages", "ms to its end on the screen", "longest task", "longest frame", "longest frame, worst"],
        rows.map(({ messages, rounds: seen }) => [
          String(messages),
          of(seen, "ms"),
          of(seen, "longestTaskMs"),
          of(seen, "longestFrameMs"),
          ms(Math.max(...seen.map(({ longestFrameMs }) => longestFrameMs))),
        ]),
      ),
    ];
  },
};
