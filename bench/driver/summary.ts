import type { Case } from "../page/bench.ts";
import type { StoreSize } from "../page/rows.ts";
import type { Measured } from "./measure.ts";

/** One row of a table: turns and warm reads over all runs of a case, the rest of its last. */
export interface Summary extends Case {
  /** The median turn of each tenth of the thread: what grows with it shows here. */
  readonly msByTenth: readonly number[];
  /** The mean of those: the run's time over its turns, without the turns that something else on the machine held up. */
  readonly msPerTurn: number;
  /** The run's time over its turns, with all that came between. */
  readonly msPerTurnElapsed: number;
  /** Of `MemorySaver`: for an empty thread, which is what LangGraph alone takes. */
  readonly reloadMs: number;
  readonly coldMs: number | undefined;
  readonly warmMs: number;
  readonly rowBytes: number;
  readonly indexBytes: number;
  readonly diskBytes: number | undefined;
  readonly tidiedDiskBytes: number | undefined;
  readonly checkpoints: number;
  readonly stores: readonly StoreSize[];
}

/** LangGraph makes one for the input, one when the graph has taken it, and one after the model's node. */
const checkpointsPerTurn = 3;

export function summarize(runs: readonly Measured[]): Summary {
  const run = runs.at(-1);
  if (run === undefined) throw new RangeError("no run to summarize");
  const { saver, workload, turns, stores } = run;
  const checkpoints = stores.find(({ store }) => store === "checkpoints")?.rows;
  if (checkpoints !== checkpointsPerTurn * turns) throw new Error(`${saver} holds ${checkpoints} checkpoints of ${turns} turns`);
  const tenth = turns / 10;
  const msByTenth = Array.from({ length: 10 }, (_, at) =>
    median(runs.flatMap(({ turnTimes }) => turnTimes.slice(at * tenth, (at + 1) * tenth))),
  );
  return {
    saver,
    workload,
    turns,
    msByTenth,
    msPerTurn: sum(msByTenth) / msByTenth.length,
    msPerTurnElapsed: median(runs.map(({ turnTimes }) => sum(turnTimes) / turnTimes.length)),
    reloadMs: median(run.reloadReads),
    coldMs: run.coldReads.length === 0 ? undefined : median(run.coldReads),
    warmMs: median(runs.flatMap((each) => each.warmReads)),
    rowBytes: sum(stores.map((store) => store.keyBytes + store.valueBytes)),
    indexBytes: sum(stores.map((store) => store.indexBytes)),
    diskBytes: run.diskBytes,
    tidiedDiskBytes: run.tidiedDiskBytes,
    checkpoints,
    stores,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  if (low === undefined || high === undefined) throw new RangeError("no median of nothing");
  return (low + high) / 2;
}
