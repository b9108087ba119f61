import type { Claim } from "../driver/claim.ts";
import type { Tab } from "../driver/browser.ts";
import { Disposables } from "../driver/disposables.ts";
import type { Measurement } from "../driver/measurement.ts";
import { serve } from "../driver/serve.ts";
import { median, sum } from "../driver/statistics.ts";
import { ms, table, times } from "../driver/table.ts";
import type { SubjectName } from "../page/subjects.ts";
import { subjectTitles } from "./naming.ts";

interface AddedRow {
  readonly subject: SubjectName;
  readonly turns: number;
  /** Of a turn among the first and among the last. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** The part of it between a call of the saver and its answer, calls that overlap added up. */
  readonly firstCallsMs: number;
  readonly lastCallsMs: number;
}

const subjects: readonly SubjectName[] = ["memory", "worker"];
const window = 50;
const chunk = 10;

/** A graph with a delta channel: what the saver adds to a turn, at the start of a thread and at its end. The turns between are loaded. */
export const added: Measurement<readonly AddedRow[]> = {
  name: "added",
  title: "Time that a turn adds",
  async measure({ browser, folder, quick }) {
    const turns = quick ? 200 : 2000;
    await using held = new Disposables();
    const lanes: { readonly subject: SubjectName; readonly tab: Tab }[] = [];
    for (const subject of subjects) {
      const tab = held.use(await browser.open(held.use(await serve(folder))));
      await tab.call("start", { subject, workload: { channel: "delta", frequency: 100 }, turns }, { metered: false });
      await tab.call("trace", "calls");
      lanes.push({ subject, tab });
    }
    const windows = async () => {
      const seen = lanes.map(({ tab }) => ({ tab, times: [] as number[], calls: 0 }));
      for (let done = 0; done < window; done += chunk) for (const lane of seen) lane.times.push(...(await lane.tab.call("turns", chunk)));
      for (const lane of seen) lane.calls = sum((await lane.tab.call("traced")).map((tally) => tally.sum)) / window;
      return seen;
    };
    const first = await windows();
    for (const { tab } of lanes) {
      await tab.call("skipTo", turns - window);
      await tab.call("traced");
    }
    const last = await windows();
    return lanes.map(({ subject }, at) => ({
      subject,
      turns,
      firstMs: median(first[at]?.times ?? []),
      lastMs: median(last[at]?.times ?? []),
      firstCallsMs: first[at]?.calls ?? NaN,
      lastCallsMs: last[at]?.calls ?? NaN,
    }));
  },
  claims(rows) {
    const [memory, ours] = subjects.map((subject) => rows.find((row) => row.subject === subject));
    if (memory === undefined || ours === undefined) return [];
    const [first, last] = [ours.firstMs - memory.firstMs, ours.lastMs - memory.lastMs];
    // Nothing is added where a turn takes less than with MemorySaver.
    const grown = last <= 0 ? 0 : last / Math.max(first, 0);
    return [{ what: `added to \`MemorySaver\`'s turn, the last ${window} of ${ours.turns} over the first`, unit: "times", value: grown, bound: { atMost: 1.1 } }] satisfies Claim[];
  },
  tables(rows) {
    return [
      table(
        ["kept by", `first ${window} turns`, `last ${window} of ${rows[0]?.turns ?? 0}`, "last over first", "in the saver's calls, first", "in the saver's calls, last"],
        rows.map((row) => [
          subjectTitles[row.subject],
          ms(row.firstMs),
          ms(row.lastMs),
          times(row.lastMs / row.firstMs),
          ms(row.firstCallsMs),
          ms(row.lastCallsMs),
        ]),
      ),
    ];
  },
};
