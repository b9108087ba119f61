import type { Claim } from "../driver/claim.ts";
import type { Measurement } from "../driver/measurement.ts";
import { serve } from "../driver/serve.ts";
import { bytes, table, times } from "../driver/table.ts";
import type { Growth } from "../page/growth.ts";
import type { Workload } from "../page/workload.ts";
import { channelOf } from "./naming.ts";

interface GrowthRow {
  readonly workload: Workload;
  readonly before: number;
  readonly window: number;
  readonly early: Growth;
  readonly late: Growth;
}

const workloads: readonly Workload[] = [{ channel: "plain" }, { channel: "delta", frequency: 100 }];

export const growth: Measurement<readonly GrowthRow[]> = {
  name: "growth",
  title: "Growth",
  async measure({ browser, folder, quick }) {
    const [window, before] = quick ? [50, 475] : [100, 4950];
    const rows: GrowthRow[] = [];
    for (const workload of workloads) {
      await using server = await serve(folder);
      await using tab = await browser.open(server);
      const [early, late] = await tab.call("growth", workload, { window, before });
      rows.push({ workload, before, window, early, late });
    }
    return rows;
  },
  claims(rows) {
    const most = (of: (growth: Growth) => number) => Math.max(...rows.map(({ early, late }) => of(late) / of(early)));
    const turns = `at turn ${rows[0] === undefined ? 0 : rows[0].before + rows[0].window / 2} over turn ${(rows[0]?.window ?? 0) / 2}`;
    return [
      { what: `rows a turn adds, ${turns}`, unit: "times", value: most((at) => at.rowBytesPerTurn), bound: { atMost: 1.1 } },
      { what: `bytes a turn writes, ${turns}`, unit: "times", value: most((at) => at.bytesWrittenPerTurn), bound: { atMost: 1.1 } },
    ] satisfies Claim[];
  },
  tables(rows) {
    return [
      table(
        ["channel", "turns", "added a turn", "over the first", "written a turn", "over the first"],
        rows.flatMap(({ workload, window, before, early, late }) =>
          [early, late].map((at, index) => [
            channelOf({ workload }),
            index === 0 ? `1 to ${window}` : `${before} to ${before + window}`,
            bytes(at.rowBytesPerTurn),
            times(at.rowBytesPerTurn / early.rowBytesPerTurn),
            bytes(at.bytesWrittenPerTurn),
            times(at.bytesWrittenPerTurn / early.bytesWrittenPerTurn),
          ]),
        ),
      ),
    ];
  },
};
