import type { Claim } from "../driver/claim.ts";
import type { Measurement } from "../driver/measurement.ts";
import { sum } from "../driver/statistics.ts";
import { bytes, table, times } from "../driver/table.ts";
import type { Case } from "../page/chat.ts";
import type { StoreSize } from "../page/rows.ts";
import { conversations } from "./conversation.ts";
import { channelOf, pick, ratio, subjectTitles } from "./naming.ts";

interface DiskRow extends Case {
  readonly rowBytes: number;
  readonly indexBytes: number;
  readonly bytesWritten: number;
  readonly diskBytes: number | undefined;
  readonly stores: readonly StoreSize[];
}

const frequencies = [1, 10, 100, 1000];

export const disk: Measurement<readonly DiskRow[]> = {
  name: "disk",
  title: "Disk",
  async measure(site) {
    return (await conversations(site)).map(({ subject, workload, turns, stores, bytesWritten, diskBytes }) => ({
      subject,
      workload,
      turns,
      rowBytes: sum(stores.map(({ keyBytes, valueBytes }) => keyBytes + valueBytes)),
      indexBytes: sum(stores.map((store) => store.indexBytes)),
      bytesWritten,
      diskBytes,
      stores,
    }));
  },
  claims(rows) {
    const ours = [pick(rows, "worker", "plain"), ...frequencies.map((frequency) => pick(rows, "worker", frequency))].filter((row) => row !== undefined);
    if (ours.length === 0) return [];
    const most = (of: (row: DiskRow) => number) => Math.max(...ours.map(of));
    const least = (of: (row: DiskRow) => number) => Math.min(...ours.map(of));
    const estimates = ours.map((row) => row.diskBytes).filter((estimate) => estimate !== undefined);
    const turns = ours[0]?.turns ?? 0;
    return [
      { what: `${turns} turns: keys and values of all rows`, unit: "bytes", value: most((row) => row.rowBytes), bound: { atMost: 1.3e6 } },
      { what: `${turns} turns: bytes written`, unit: "bytes", value: most((row) => row.bytesWritten), bound: { atMost: 3e6 } },
      {
        what: `${turns} turns: \`storage.estimate()\``,
        unit: "bytes",
        value: estimates.length === 0 ? undefined : Math.max(...estimates),
        why: "no `navigator.storage`",
        bound: { atMost: 4e6 },
      },
      {
        what: "rows, the largest over the smallest of plain and every frequency",
        unit: "times",
        value: ratio(most((row) => row.rowBytes), least((row) => row.rowBytes)),
        bound: { atMost: 1.2 },
      },
      {
        what: "bytes written, the same",
        unit: "times",
        value: ratio(most((row) => row.bytesWritten), least((row) => row.bytesWritten)),
        bound: { atMost: 1.2 },
      },
      {
        what: "the full copy's rows over ours",
        unit: "times",
        value: ratio(pick(rows, "full-copy", "plain")?.rowBytes, pick(rows, "worker", "plain")?.rowBytes),
        bound: { atLeast: 200 },
      },
    ] satisfies Claim[];
  },
  tables(rows) {
    const plain = pick(rows, "worker", "plain")?.rowBytes;
    return [
      table(
        ["kept by", "channel", "turns", "rows", "over ours", "index entries", "written", "on disk"],
        rows.map((row) => [
          subjectTitles[row.subject],
          channelOf(row),
          String(row.turns),
          bytes(row.rowBytes),
          times(ratio(row.rowBytes, plain)),
          bytes(row.indexBytes),
          row.subject === "memory" ? undefined : bytes(row.bytesWritten),
          bytes(row.diskBytes),
        ]),
      ),
      table(
        ["ours", "store", "rows", "keys", "values", "bytes a row", "index entries", "index"],
        rows
          .filter(({ subject }) => subject === "worker")
          .flatMap((row) =>
            row.stores.map((store) => [
              channelOf(row),
              store.store,
              String(store.rows),
              bytes(store.keyBytes),
              bytes(store.valueBytes),
              store.rows === 0 ? undefined : ((store.keyBytes + store.valueBytes) / store.rows).toFixed(0),
              String(store.indexEntries),
              bytes(store.indexBytes),
            ]),
          ),
      ),
    ];
  },
};
