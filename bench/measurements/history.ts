import type { Claim } from "../driver/claim.ts";
import type { Measurement } from "../driver/measurement.ts";
import { serve } from "../driver/serve.ts";
import { median } from "../driver/statistics.ts";
import { ms, table, times } from "../driver/table.ts";
import type { LongThread } from "../page/history.ts";
import type { SaverName } from "../page/savers.ts";
import type { Workload } from "../page/workload.ts";
import { channelOf, ratio, subjectTitles } from "./naming.ts";

interface HistoryRow extends LongThread {
  /** How many of the newest steps were read. */
  readonly steps: number;
  readonly msPerStep: number;
  readonly oldStepMs: number;
}

const plain: Workload = { channel: "plain" };
const delta: Workload = { channel: "delta", frequency: 100 };
const savers: readonly SaverName[] = ["memory", "worker"];

/** `MemorySaver` lists fewer steps, since each takes it as long as all of them take us. */
const stepsOf = (saver: SaverName) => (saver === "memory" ? 10 : 100);
const oldReads = 9;

/** With a plain channel `MemorySaver` would hold 7 GB after 2,000 turns: all but the last 40 are said in large steps. */
const shapes = (quick: boolean) => {
  const turns = quick ? 200 : 2000;
  return [
    { workload: plain, turns, single: 40, largeStep: 98 },
    { workload: delta, turns, single: turns, largeStep: 1 },
  ];
};

export const history: Measurement<readonly HistoryRow[]> = {
  name: "history",
  title: "History",
  async measure({ browser, folder, quick }) {
    const rows: HistoryRow[] = [];
    for (const shape of shapes(quick)) {
      for (const saver of savers) {
        await using server = await serve(folder);
        await using tab = await browser.open(server);
        await tab.call("loadLong", { saver, ...shape });
        const steps = stepsOf(saver);
        await tab.call("newestSteps", 2);
        const history = await tab.call("newestSteps", steps);
        rows.push({ saver, ...shape, steps, msPerStep: history / steps, oldStepMs: median(await tab.call("oldSteps", oldReads)) });
      }
    }
    return rows;
  },
  claims(rows) {
    return ["plain", "delta"].flatMap((channel): Claim[] => {
      const [memory, ours] = savers.map((saver) => rows.find((row) => row.saver === saver && row.workload.channel === channel));
      return [
        { what: `history, ${channel}: a step over \`MemorySaver\``, unit: "times", value: ratio(ours?.msPerStep, memory?.msPerStep), bound: { atMost: 0.2 } },
        { what: `a random old state, ${channel}, over \`MemorySaver\``, unit: "times", value: ratio(ours?.oldStepMs, memory?.oldStepMs), bound: { atMost: 0.2 } },
      ];
    });
  },
  tables(rows) {
    const memory = (row: HistoryRow) => rows.find(({ saver, workload }) => saver === "memory" && workload.channel === row.workload.channel);
    return [
      table(
        ["kept by", "channel", "turns", "steps listed", "ms a step", "over `MemorySaver`", "a random old state", "over `MemorySaver`"],
        rows.map((row) => [
          subjectTitles[row.saver],
          channelOf(row),
          String(row.turns),
          String(row.steps),
          ms(row.msPerStep),
          times(ratio(row.msPerStep, memory(row)?.msPerStep)),
          ms(row.oldStepMs),
          times(ratio(row.oldStepMs, memory(row)?.oldStepMs)),
        ]),
      ),
    ];
  },
};
