import type { Claim } from "../driver/claim.ts";
import type { Measurement } from "../driver/measurement.ts";
import { median } from "../driver/statistics.ts";
import { ms, table, times } from "../driver/table.ts";
import type { EngineName } from "../driver/browser.ts";
import type { Case } from "../page/chat.ts";
import { conversations } from "./conversation.ts";
import { channelOf, pick, ratio, subjectTitles } from "./naming.ts";

interface ReadRow extends Case {
  readonly warmMs: number;
  /** Of `MemorySaver`: for an empty thread, which is what LangGraph alone takes. */
  readonly reloadMs: number;
  readonly coldMs: number | undefined;
}

interface Reads {
  readonly engine: EngineName;
  readonly rows: readonly ReadRow[];
}

const ways = ["plain", 1, 10, 100, 1000] as const;

/** Of `MemorySaver` the thread in the same kind of channel. */
const memoryOf = (rows: readonly ReadRow[], way: (typeof ways)[number]) => pick(rows, "memory", way === "plain" ? "plain" : 100);

export const read: Measurement<Reads> = {
  name: "read",
  title: "Reading",
  async measure(site) {
    const rows = (await conversations(site)).map(({ subject, workload, turns, warmReads, reloadReads, coldReads }) => ({
      subject,
      workload,
      turns,
      warmMs: median(warmReads),
      reloadMs: median(reloadReads),
      coldMs: coldReads.length === 0 ? undefined : median(coldReads),
    }));
    return { engine: site.browser.engine, rows };
  },
  claims({ engine, rows }) {
    const worst = (of: (row: ReadRow, way: (typeof ways)[number]) => number | undefined) => {
      const values = ways.map((way) => {
        const row = pick(rows, "worker", way);
        return row === undefined ? undefined : of(row, way);
      });
      return values.includes(undefined) ? undefined : Math.max(...values.filter((value) => value !== undefined));
    };
    const over = (of: (row: ReadRow) => number | undefined, peer: ReadRow | undefined) =>
      worst((row) => ratio(of(row), peer === undefined ? undefined : of(peer)));
    const warm = (row: ReadRow) => row.warmMs;
    const cold = (row: ReadRow) => row.coldMs;
    const reloaded = (row: ReadRow) => row.reloadMs;
    const [keyval, raw] = [pick(rows, "keyval-messages", "array"), pick(rows, "raw-worker", "array")];
    return [
      {
        what: "warm, the slowest way, over `MemorySaver`",
        unit: "times",
        value: worst((row, way) => ratio(row.warmMs, memoryOf(rows, way)?.warmMs)),
        bound: { atMost: engine === "chromium" ? 0.7 : 0.3 },
      },
      { what: "warm, the slowest way, over `idb-keyval`", unit: "times", value: over(warm, keyval), bound: { atMost: 2 } },
      { what: "cold, the slowest way, over the raw limit", unit: "times", value: over(cold, raw), bound: { atMost: 1.5 } },
      { what: "cold, the slowest way, over `idb-keyval`", unit: "times", value: over(cold, keyval), bound: { atMost: 2 } },
      { what: "reloaded, the slowest way, over the raw limit", unit: "times", value: over(reloaded, raw), bound: { atMost: 1.5 } },
      { what: "reloaded, the slowest way, over `idb-keyval`", unit: "times", value: over(reloaded, keyval), bound: { atMost: 2 } },
    ] satisfies Claim[];
  },
  tables({ rows }) {
    const keyval = pick(rows, "keyval-messages", "array");
    const raw = pick(rows, "raw-worker", "array");
    const langGraph = rows.filter(({ subject }) => subject === "memory").map((row) => row.reloadMs);
    return [
      table(
        ["read from", "channel", "warm", "over `MemorySaver`", "over `idb-keyval`", "reloaded", "over the raw limit", "cold", "over the raw limit", "over `idb-keyval`"],
        rows.map((row) => {
          const lost = row.subject === "memory";
          const memory = row.workload === undefined ? undefined : pick(rows, "memory", row.workload.channel === "plain" ? "plain" : 100);
          return [
            subjectTitles[row.subject],
            channelOf(row),
            ms(row.warmMs),
            times(ratio(row.warmMs, memory?.warmMs)),
            times(ratio(row.warmMs, keyval?.warmMs)),
            lost ? "lost" : ms(row.reloadMs),
            lost ? undefined : times(ratio(row.reloadMs, raw?.reloadMs)),
            lost ? "lost" : ms(row.coldMs),
            times(ratio(row.coldMs, raw?.coldMs)),
            times(ratio(row.coldMs, keyval?.coldMs)),
          ];
        }),
      ),
      ...(langGraph.length === 0 ? [] : [`LangGraph's own part, measured on an empty thread on a fresh page: ${ms(Math.min(...langGraph))} ms.`]),
    ];
  },
};
