import type { Claim } from "../driver/claim.ts";
import type { Measurement } from "../driver/measurement.ts";
import { serve } from "../driver/serve.ts";
import { median } from "../driver/statistics.ts";
import { ms, table } from "../driver/table.ts";
import type { WindowTime } from "../page/windows.ts";

interface WindowRow {
  readonly messages: number;
  readonly last: number;
  /** Each the median of its own. */
  readonly ms: WindowTime;
}

const stages = ["all", "transfer", "storage", "decode"] as const;

const last = 50;
const rounds = 7;

const medians = (seen: readonly WindowTime[]): WindowTime => {
  const of = (stage: keyof WindowTime) => median(seen.map((time) => time[stage]));
  return { all: of("all"), transfer: of("transfer"), storage: of("storage"), decode: of("decode") };
};

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
      const seen: WindowTime[] = [];
      for (let round = 0; round < rounds; round += 1) {
        await using tab = await browser.open(server);
        seen.push(await tab.call("readWindow", messages, last));
      }
      rows.push({ messages, last, ms: medians(seen) });
    }
    return rows;
  },
  claims(rows) {
    const long = rows.at(-1);
    return [{ what: `the last ${last} of ${long?.messages ?? 0} messages, cold`, unit: "ms", value: long?.ms.all, bound: { atMost: 15 } }] satisfies Claim[];
  },
  tables(rows) {
    const titles = ["messages", "window", "ms, cold", "to the worker and back, its start included", "in the database", "decoding"];
    return [table(titles, rows.map((row) => [String(row.messages), `last ${row.last}`, ...stages.map((stage) => ms(row.ms[stage]))]))];
  },
};
