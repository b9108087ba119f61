import type { Claim } from "../driver/claim.ts";
import type { Measurement } from "../driver/measurement.ts";
import { whileSampling } from "../driver/resident.ts";
import { serve } from "../driver/serve.ts";
import { bytes, ms, table } from "../driver/table.ts";

interface ArchiveRow {
  readonly what: string;
  readonly threads: number;
  readonly fileBytes: number;
  readonly ms: number;
  /** Of the page and its worker: a sample of each tenth of the time. Empty where the system does not say. */
  readonly resident: readonly number[];
}

const ways = [
  { what: "export", method: "exportAll" },
  { what: "export into import", method: "copyAll" },
] as const;

/** Memory that stands and falls with the collector's moods: the larger one keeps nothing that the smaller one does not. */
const mayVary = 64_000_000;

/** Threads of a megabyte each in and out of a file, and the memory that takes, for a few and for many. */
export const archive: Measurement<readonly ArchiveRow[]> = {
  name: "archive",
  title: "Export and import",
  async measure({ browser, folder, quick }) {
    const rows: ArchiveRow[] = [];
    for (const threads of quick ? [2, 10] : [10, 100]) {
      await using server = await serve(folder);
      {
        await using tab = await browser.open(server);
        await tab.call("fillThreads", threads);
      }
      for (const { what, method } of ways) {
        await using tab = await browser.open(server);
        const { result, samples } = await whileSampling(() => tab.call(method));
        rows.push({ what, threads, ...result, resident: tenths(samples) });
      }
    }
    return rows;
  },
  claims(rows) {
    const most = (what: string, threads: number | undefined): number => Math.max(...(rows.find((row) => row.what === what && row.threads === threads)?.resident ?? []));
    const [few, many] = [rows.at(0)?.threads, rows.at(-1)?.threads];
    return ways.flatMap(({ what }): Claim[] => {
      const value = most(what, many) - most(what, few);
      return Number.isFinite(value) ? [{ what: `memory that ${what} of ${many} MB takes more than of ${few} MB`, unit: "bytes", value, bound: { atMost: mayVary } }] : [];
    });
  },
  tables(rows) {
    return [
      table(
        ["what", "content", "file", "time", "a second", "memory, tenth by tenth"],
        rows.map((row) => [
          row.what,
          `${row.threads} MB`,
          bytes(row.fileBytes),
          ms(row.ms),
          bytes(row.fileBytes / (row.ms / 1000)),
          row.resident.map((each) => `${Math.round(each / 1_000_000)}`).join(" ") || "not known",
        ]),
      ),
    ];
  },
};

function tenths(samples: readonly number[]): number[] {
  if (samples.length === 0) return [];
  return Array.from({ length: 10 }, (_, tenth) => samples[Math.min(samples.length - 1, Math.floor(((tenth + 0.5) * samples.length) / 10))]!);
}
