import type { Case } from "../page/bench.ts";
import type { SaverName } from "../page/savers.ts";
import type { Workload } from "../page/workload.ts";

/** Cases that are measured side by side, `repeats` times over. */
export interface Group {
  readonly cases: readonly Case[];
  readonly repeats: number;
}

const savers: readonly SaverName[] = ["memory", "full-copy", "inline", "worker"];
const workloads: readonly Workload[] = [{ channel: "plain" }, { channel: "delta", frequency: 100 }];
const frequencies = [1, 10, 100, 1000];

/** Every saver against either kind of channel. 100 is the delta channel's default frequency. */
export function saverGroups(lengths: readonly number[]): Group[] {
  return lengths.flatMap((turns) =>
    workloads.map((workload) => ({
      cases: savers.map((saver) => ({ saver, workload, turns })),
      repeats: turns <= 100 ? 2 : 1,
    })),
  );
}

/** Ours against the snapshot frequency. */
export function frequencyGroup(turns: number): Group {
  const cases = frequencies.map((frequency): Case => ({ saver: "worker", workload: { channel: "delta", frequency }, turns }));
  return { cases, repeats: 1 };
}
