import type { Claim } from "../driver/claim.ts";
import type { Measurement } from "../driver/measurement.ts";
import { serve } from "../driver/serve.ts";
import { median } from "../driver/statistics.ts";
import { ms, table } from "../driver/table.ts";
import type { Held } from "../page/main-thread.ts";
import type { SaverName } from "../page/savers.ts";
import { subjectTitles } from "./naming.ts";

interface HeldRow {
  readonly saver: SaverName | undefined;
  readonly work: string;
  readonly rounds: readonly Held[];
}

const savers: readonly SaverName[] = ["memory", "inline", "worker"];
const rounds = 5;

/** How long the page is held up by the saver alone, without a graph. */
export const mainThread: Measurement<readonly HeldRow[]> = {
  name: "main-thread",
  title: "Main thread",
  async measure({ browser, folder, quick }) {
    const [messages, turns] = quick ? [500, 20] : [5000, 100];
    const rows: HeldRow[] = [];
    for (const saver of savers) {
      await using server = await serve(folder);
      await using tab = await browser.open(server);
      await tab.call("loadOneTurn", saver, messages);
      if (rows.length === 0) rows.push({ saver: undefined, work: "nothing", rounds: await repeated(() => tab.call("idleWatched", 300)) });
      rows.push(
        { saver, work: `reading ${messages} messages`, rounds: await repeated(() => tab.call("readWatched", saver, messages)) },
        { saver, work: `writing ${turns} turns, delta`, rounds: await repeated(() => tab.call("writeWatched", saver, 100, turns)) },
        { saver, work: `writing ${turns} turns, plain`, rounds: await repeated(() => tab.call("writeWatched", saver, "plain", turns)) },
      );
    }
    return rows;
  },
  claims(rows) {
    return rows
      .filter(({ saver }) => saver === "worker")
      .map(({ work, rounds: seen }): Claim => ({
        what: `main thread: longest task while ${work}`,
        unit: "ms",
        value: median(seen.map((held) => held.longestTaskMs)),
        bound: { atMost: 16 },
      }));
  },
  tables(rows) {
    const of = (seen: readonly Held[], part: keyof Held) => seen.map((held) => held[part]);
    return [
      table(
        ["kept by", "while", "ms in all", "longest task, median", "longest task, worst", "longest frame, median"],
        rows.map(({ saver, work, rounds: seen }) => [
          saver === undefined ? "no saver" : subjectTitles[saver],
          work,
          ms(median(of(seen, "ms"))),
          ms(median(of(seen, "longestTaskMs"))),
          ms(Math.max(...of(seen, "longestTaskMs"))),
          ms(median(of(seen, "longestFrameMs"))),
        ]),
      ),
    ];
  },
};

async function repeated(once: () => Promise<Held>): Promise<Held[]> {
  const seen: Held[] = [];
  for (let round = 0; round < rounds; round += 1) seen.push(await once());
  return seen;
}
