import type { Claim } from "../driver/claim.ts";
import type { Measurement } from "../driver/measurement.ts";
import { medians, sum } from "../driver/statistics.ts";
import { ms, table, times } from "../driver/table.ts";
import type { Case } from "../page/chat.ts";
import { conversations } from "./conversation.ts";
import { channelOf, pick, ratio, subjectTitles } from "./naming.ts";

interface WriteRow extends Case {
  /** The median turn of each tenth of the thread: what grows with it shows here. */
  readonly msByTenth: readonly number[];
  /** The mean of those: the run's time over its turns, without the turns that something else on the machine held up. */
  readonly msPerTurn: number;
  /** The run's time over its turns, with all that came between. */
  readonly msPerTurnElapsed: number;
}

export const write: Measurement<readonly WriteRow[]> = {
  name: "write",
  title: "Writing",
  async measure(site) {
    return (await conversations(site)).map(({ subject, workload, turns, turnTimes }) => {
      const msByTenth = medians(turnTimes, 10);
      return { subject, workload, turns, msByTenth, msPerTurn: sum(msByTenth) / 10, msPerTurnElapsed: sum(turnTimes) / turnTimes.length };
    });
  },
  claims(rows) {
    const against = (channel: "plain" | 100) => ratio(pick(rows, "worker", channel)?.msPerTurn, pick(rows, "memory", channel)?.msPerTurn);
    return [
      { what: "a turn, delta channel, over `MemorySaver`", unit: "times", value: against(100), bound: { atMost: 1.4 } },
      { what: "a turn, plain channel, over `MemorySaver`", unit: "times", value: against("plain"), bound: { atMost: 0.9 } },
    ] satisfies Claim[];
  },
  tables(rows) {
    const memory = (row: WriteRow) => {
      if (row.workload === undefined) return undefined;
      return pick(rows, "memory", row.workload.channel === "plain" ? "plain" : 100)?.msPerTurn;
    };
    return [
      table(
        ["kept by", "channel", "turns", "ms a turn", "over `MemorySaver`", "first tenth", "last tenth", "elapsed"],
        rows.map((row) => [
          subjectTitles[row.subject],
          channelOf(row),
          String(row.turns),
          ms(row.msPerTurn),
          times(ratio(row.msPerTurn, memory(row))),
          ms(row.msByTenth[0]),
          ms(row.msByTenth.at(-1)),
          ms(row.msPerTurnElapsed),
        ]),
      ),
    ];
  },
};
