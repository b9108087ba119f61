import type { Claim } from "../driver/claim.ts";
import type { Measurement } from "../driver/measurement.ts";
import { serve } from "../driver/serve.ts";
import { ms, table, times } from "../driver/table.ts";
import type { Touched } from "../page/branches.ts";
import type { Workload } from "../page/workload.ts";
import { channelOf } from "./naming.ts";

interface BranchRow extends Touched {
  readonly workload: Workload;
  readonly forks: number;
}

const workloads: readonly Workload[] = [{ channel: "plain" }, { channel: "delta", frequency: 1000 }];
const [base, steps] = [50, 10];

/** The rows of a path are what a read of it touches when there is no other branch: so this needs no knowledge of the schema. */
export const branches: Measurement<readonly BranchRow[]> = {
  name: "branches",
  title: "Many branches",
  async measure({ browser, folder, quick }) {
    const rows: BranchRow[] = [];
    for (const workload of workloads) {
      for (const forks of [1, quick ? 20 : 200]) {
        const shape = { workload, base, forks, steps };
        await using server = await serve(folder);
        const config = await (async () => {
          await using tab = await browser.open(server);
          const tip = await tab.call("growForks", shape);
          await tab.call("closeSaver");
          return tip;
        })();
        await using tab = await browser.open(server);
        rows.push({ workload, forks, ...(await tab.call("readFork", config, shape)) });
        await tab.call("closeSaver");
      }
    }
    return rows;
  },
  claims(rows) {
    return workloads.map((workload): Claim => {
      const [alone, among] = rows.filter((row) => row.workload.channel === workload.channel);
      return {
        what: `rows a read touches among ${among?.forks ?? 0} forks over those of its path, ${workload.channel}`,
        unit: "times",
        value: alone === undefined || among === undefined ? undefined : among.rows / alone.rows,
        bound: { atMost: 2 },
      };
    });
  },
  tables(rows) {
    return [
      table(
        ["channel", "forks", "rows touched", "keys touched", "over the path alone", "a cold read"],
        rows.map((row) => {
          const alone = rows.find(({ forks, workload }) => forks === 1 && workload.channel === row.workload.channel);
          return [
            channelOf(row),
            String(row.forks),
            String(row.rows),
            String(row.keys),
            times(alone === undefined ? undefined : row.rows / alone.rows),
            ms(row.ms),
          ];
        }),
      ),
    ];
  },
};
