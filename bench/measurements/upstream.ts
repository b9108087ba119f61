import type { Measurement } from "../driver/measurement.ts";
import { serve } from "../driver/serve.ts";
import { median } from "../driver/statistics.ts";
import { bytes, ms, table, times } from "../driver/table.ts";
import type { SaverName } from "../page/savers.ts";
import type { ManyChannels } from "../page/upstream.ts";
import { ratio } from "./naming.ts";

interface UpstreamRow extends ManyChannels {
  readonly msPerTurn: number;
  readonly readMs: number;
  readonly rowBytes: number;
}

const settings: readonly (readonly number[])[] = [[50], [50, 50, 50], [50, 200, 1000], Array<number>(8).fill(50), [25, 50, 100, 200, 500, 1000, 1000, 1000]];
const lengths = [100, 500];
const savers: readonly SaverName[] = ["memory", "worker"];
const measured = 10;
const reads = 5;

/** The workload by which LangGraph's authors judged their delta channels: several of them, at several frequencies. */
export const upstream: Measurement<readonly UpstreamRow[]> = {
  name: "upstream",
  title: "Several delta channels",
  async measure({ browser, folder, quick }) {
    const rows: UpstreamRow[] = [];
    for (const turns of quick ? [50] : lengths) {
      for (const frequencies of settings) {
        for (const saver of savers) {
          await using server = await serve(folder);
          await using tab = await browser.open(server);
          const seen = await tab.call("manyChannels", { saver, frequencies, turns }, { measured, reads });
          rows.push({ saver, frequencies, turns, msPerTurn: median(seen.turnTimes), readMs: median(seen.readTimes), rowBytes: seen.rowBytes });
        }
      }
    }
    return rows;
  },
  claims: () => [],
  tables(rows) {
    const pairs = rows.filter(({ saver }) => saver === "worker").map((ours) => {
      const memory = rows.find(({ saver, turns, frequencies }) => saver === "memory" && turns === ours.turns && String(frequencies) === String(ours.frequencies));
      return { ours, memory };
    });
    return [
      table(
        ["turns", "snapshots every", "`MemorySaver`, a turn", "**ours**", "over", "`MemorySaver`, a read", "**ours**", "over", "`MemorySaver`, bytes", "**ours**", "over"],
        pairs.map(({ ours, memory }) => [
          String(ours.turns),
          ours.frequencies.join(", "),
          ms(memory?.msPerTurn),
          ms(ours.msPerTurn),
          times(ratio(ours.msPerTurn, memory?.msPerTurn)),
          ms(memory?.readMs),
          ms(ours.readMs),
          times(ratio(ours.readMs, memory?.readMs)),
          bytes(memory?.rowBytes),
          bytes(ours.rowBytes),
          times(ratio(ours.rowBytes, memory?.rowBytes)),
        ]),
      ),
    ];
  },
};
