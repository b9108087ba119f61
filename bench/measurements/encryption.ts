import type { Measurement } from "../driver/measurement.ts";
import { median, medians, sum } from "../driver/statistics.ts";
import { bytes, ms, table, times } from "../driver/table.ts";
import type { Case } from "../page/chat.ts";
import { converse, every, plain } from "./conversation.ts";
import { channelOf, ratio } from "./naming.ts";

interface Cost extends Case {
  readonly rowBytes: number;
  readonly bytesWritten: number;
  readonly msPerTurn: number;
  readonly warmMs: number;
  readonly reloadMs: number;
  readonly coldMs: number;
}

const workloads = [plain, every(100)];

const costs = [
  ["rows", "rowBytes", bytes],
  ["written", "bytesWritten", bytes],
  ["a turn, ms", "msPerTurn", ms],
  ["read warm, ms", "warmMs", ms],
  ["reloaded, ms", "reloadMs", ms],
  ["cold, ms", "coldMs", ms],
] as const;

/** What encryption costs: the same saver with it and without, in turns. */
export const encryption: Measurement<readonly Cost[]> = {
  name: "encryption",
  title: "Encryption",
  async measure(site) {
    const measured = workloads.flatMap((workload) => [["worker", workload], ["encrypted", workload]] as const);
    const conversations = await converse(site, measured, { turns: site.quick ? 50 : 200, reads: true });
    return conversations.map(({ subject, workload, turns, stores, bytesWritten, turnTimes, warmReads, reloadReads, coldReads }) => ({
      subject,
      workload,
      turns,
      rowBytes: sum(stores.map(({ keyBytes, valueBytes }) => keyBytes + valueBytes)),
      bytesWritten,
      msPerTurn: sum(medians(turnTimes, 10)) / 10,
      warmMs: median(warmReads),
      reloadMs: median(reloadReads),
      coldMs: median(coldReads),
    }));
  },
  claims: () => [],
  tables(rows) {
    const pairs = rows.filter(({ subject }) => subject === "encrypted").map((row) => [rows.find((other) => other.subject === "worker" && channelOf(other) === channelOf(row)), row] as const);
    return [
      table(
        ["channel", "turns", "what", "in plain", "encrypted", "over in plain"],
        pairs.flatMap(([open, row]) =>
          costs.map(([what, cost, shown]) => [channelOf(row), String(row.turns), what, shown(open?.[cost]), shown(row[cost]), times(ratio(row[cost], open?.[cost]))]),
        ),
      ),
    ];
  },
};
