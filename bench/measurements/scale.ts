import { setTimeout } from "node:timers/promises";
import type { Tab } from "../driver/browser.ts";
import type { Claim } from "../driver/claim.ts";
import { Disposables } from "../driver/disposables.ts";
import type { Measurement } from "../driver/measurement.ts";
import { serve } from "../driver/serve.ts";
import { median } from "../driver/statistics.ts";
import { ms, table, times } from "../driver/table.ts";

interface ScaleRow {
  readonly database: string;
  readonly coldMs: number;
  readonly reloadMs: number;
}

const rounds = 7;
/** After that Chromium has closed a database that no page has open. */
const closedAfterMs = 3000;

/** Opening a thread of the same state in databases of different sizes. */
export const scale: Measurement<readonly ScaleRow[]> = {
  name: "scale",
  title: "Scale",
  async measure({ browser, folder, quick }) {
    const [threads, checkpoints] = quick ? [50, 1000] : [1000, 20_000];
    const names = Array.from({ length: threads }, (_, at) => `thread-${at}`);
    const shapes = [
      { database: "nothing else", load: (tab: Tab) => tab.call("loadThreads", ["one"]), open: "one" },
      { database: `${threads} threads of 20 checkpoints`, load: (tab: Tab) => tab.call("loadThreads", names), open: `thread-${threads / 2}` },
      { database: `${checkpoints} checkpoints of one thread`, load: (tab: Tab) => tab.call("loadEndless", "endless", checkpoints), open: "endless" },
    ];
    await using held = new Disposables();
    const lanes = [];
    for (const shape of shapes) {
      const server = held.use(await serve(folder));
      await using tab = await browser.open(server);
      await shape.load(tab);
      await tab.call("closeSaver");
      lanes.push({ ...shape, server, cold: [] as number[], reload: [] as number[] });
    }
    for (let round = 0; round < rounds; round += 1) {
      await setTimeout(closedAfterMs);
      for (const times of ["cold", "reload"] as const) {
        for (const lane of round % 2 === 0 ? lanes : lanes.toReversed()) {
          await using tab = await browser.open(lane.server);
          lane[times].push(await tab.call("openThread", lane.open));
        }
      }
    }
    return lanes.map(({ database, cold, reload }) => ({ database, coldMs: median(cold), reloadMs: median(reload) }));
  },
  claims([empty, ...others]) {
    if (empty === undefined) return [];
    return others.map(
      ({ database, coldMs }): Claim => ({ what: `opening a thread, cold, among ${database}, over an empty database`, unit: "times", value: coldMs / empty.coldMs, bound: { atMost: 1.2 } }),
    );
  },
  tables(rows) {
    const empty = rows[0];
    return [
      table(
        ["in the database", "cold", "over empty", "reloaded", "over empty"],
        rows.map((row) => [
          row.database,
          ms(row.coldMs),
          times(empty === undefined ? undefined : row.coldMs / empty.coldMs),
          ms(row.reloadMs),
          times(empty === undefined ? undefined : row.reloadMs / empty.reloadMs),
        ]),
      ),
    ];
  },
};
