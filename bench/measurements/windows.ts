import type { Claim } from "../driver/claim.ts";
import type { Measurement } from "../driver/measurement.ts";
import { serve } from "../driver/serve.ts";
import { median } from "../driver/statistics.ts";
import { ms, table } from "../driver/table.ts";

interface WindowRow {
  readonly messages: number;
  readonly last: number;
  readonly ms: number;
}

const last = 50;
const rounds = 7;

/** The newest messages of a long thread and of a short one by `ThreadStore`'s `slice`, each on a fresh page. */
export const windows: Measurement<readonly WindowRow[]> = {
  name: "windows",
  title: "Windows",
  async measure({ browser, folder, quick }) {
    const rows: WindowRow[] = [];
    for (const messages of quick ? [100, 1000] : [1000, 100_000]) {
      await using server = await serve(folder);
      {
        await using tab = await browser.open(server);
        await tab.call("loadMany", messages, Math.max(100, messages / 20));
        await tab.call("closeSaver");
      }
      const seen: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        await using tab = await browser.open(server);
        seen.push(await tab.call("readWindow", messages, last));
      }
      rows.push({ messages, last, ms: median(seen) });
    }
    return rows;
  },
  claims(rows) {
    const long = rows.at(-1);
    return [{ what: `the last ${last} of ${long?.messages ?? 0} messages, cold`, unit: "ms", value: long?.ms, bound: { atMost: 15 } }] satisfies Claim[];
  },
  tables(rows) {
    return [table(["messages", "window", "ms, cold"], rows.map((row) => [String(row.messages), `last ${row.last}`, ms(row.ms)]))];
  },
};
