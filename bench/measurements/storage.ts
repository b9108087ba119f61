import type { Measurement } from "../driver/measurement.ts";
import { serve } from "../driver/serve.ts";
import { bytes, table } from "../driver/table.ts";
import type { SaverName } from "../page/savers.ts";

interface StorageRow {
  readonly saver: SaverName;
  readonly channel: "plain" | number;
  readonly lengths: readonly number[];
  readonly rowBytes: readonly number[];
}

const never = 100_000;
const channels = ["plain", never, 50, 10, 5] as const;
const titles: Readonly<Record<string, string>> = { plain: "full list", [never]: "never a snapshot", 50: "every 50", 10: "every 10", 5: "every 5" };

/** What LangGraph's authors measured of theirs, values, writes and metadata together, on their machine; by the length of the chat. */
const published: Readonly<Record<string, readonly string[]>> = {
  plain: ["130 KB", "9.18 MB", "221 MB"],
  [never]: ["38.7 KB", "394 KB", "1.98 MB"],
  50: ["38.7 KB", "703 KB", "10.5 MB"],
  10: ["53.1 KB", "2.12 MB", "45.6 MB"],
  5: ["71.2 KB", "3.87 MB", "89.5 MB"],
};

/** Turns against storage per snapshot frequency. The bytes are the same in every engine, so one of them is asked. */
export const storage: Measurement<readonly StorageRow[]> = {
  name: "storage",
  title: "Storage by snapshot frequency",
  async measure({ browser, folder, quick }) {
    if (browser.engine !== "chromium") return [];
    const lengths = quick ? [10] : [10, 100, 500];
    const rows: StorageRow[] = [];
    for (const saver of ["memory", "worker"] as const) {
      for (const channel of channels) {
        await using server = await serve(folder);
        await using tab = await browser.open(server);
        rows.push({ saver, channel, lengths, rowBytes: await tab.call("chatSizes", saver, channel, lengths) });
      }
    }
    return rows;
  },
  claims: () => [],
  tables(rows) {
    const lengths = rows[0]?.lengths ?? [];
    if (lengths.length === 0) return ["The bytes are the same in every engine: see Chromium."];
    const shown = (saver: SaverName, at: number) =>
      channels.map((channel) => bytes(rows.find((row) => row.saver === saver && row.channel === channel)?.rowBytes[at]));
    return [
      table(
        ["turns", "kept by", ...channels.map((channel) => titles[channel] ?? String(channel))],
        lengths.flatMap((turns, at) => [
          [String(turns), "LangGraph in Python, as published", ...channels.map((channel) => published[channel]?.[at])],
          [String(turns), "`MemorySaver`", ...shown("memory", at)],
          [String(turns), "**ours**", ...shown("worker", at)],
        ]),
      ),
    ];
  },
};
