import { Carrier, type ThreadTransferReport } from "./carrier.ts";
import { outlinesOf, parentsFirst } from "./outline.ts";
import { Side, type TransferSaver } from "./side.ts";
import type { GraphChannels } from "./whole.ts";

export interface ThreadTransferOptions {
  /** The id that the thread has on the other side. Default: the same. */
  readonly target?: string;
  /**
   * `graph.channels` of the compiled graph, or a function that gives them by namespace, if subgraphs have delta channels too. Needed where the other
   * side would rebuild a delta channel otherwise: there its value is carried whole, which takes the reducer. That is so for the second branch where
   * a thread went on from one checkpoint on both sides; and for savers that do not keep the order in which the tasks of a step write,
   * such as those of Postgres and SQLite, after steps with several tasks. Default: none, and such a transfer rejects with `reducer-needed`.
   */
  readonly channels?: GraphChannels | ((namespace: string) => GraphChannels);
  /** Which namespaces to transfer: `""` is the graph itself, others its subgraphs. Default: all. */
  readonly namespaces?: (namespace: string) => boolean;
  /** Ends the transfer between two checkpoints: it rejects with the signal's reason, and what was transferred stays. */
  readonly signal?: AbortSignal;
  /** Called after each checkpoint that was looked at. */
  readonly onProgress?: (progress: ThreadTransferProgress) => void;
}

export interface ThreadTransferProgress extends ThreadTransferReport {
  /** Checkpoints looked at, of all that the thread has. */
  readonly done: number;
  readonly total: number;
}

/**
 * Brings to the saver `to` what it lacks of a thread of the saver `from`: checkpoints with their parents and metadata, branches, subgraphs and pending writes.
 * Between any two LangGraph savers; a checkpoint that is there stays as it is, so to transfer again stores nothing. The thread must not run meanwhile.
 *
 * Every checkpoint has the same state on both sides, delta channels included, also when the thread went on on both: then both
 * branches are on both sides after a transfer each way.
 *
 * @param from any `BaseCheckpointSaver`
 * @param to any `BaseCheckpointSaver`, set up if it wants to be
 * @returns how many checkpoints and pending writes were stored
 * @throws CheckpointError `transfer-failed` if one of the savers failed, its error as `cause`; `reducer-needed`, see {@link ThreadTransferOptions.channels}.
 * What was transferred before is whole, and the next transfer goes on from there.
 *
 * @example
 * ```ts
 * await transferThread(new IndexedDBSaver(), postgresSaver, "thread-1", { channels: graph.channels });
 * ```
 */
export async function transferThread(from: TransferSaver, to: TransferSaver, threadId: string, options: ThreadTransferOptions = {}): Promise<ThreadTransferReport> {
  const { target = threadId, channels = {}, namespaces = () => true, signal, onProgress } = options;
  const sides = { source: new Side("from", from, threadId), target: new Side("to", to, target) };
  const outlines = { source: await outlinesOf(sides.source, namespaces), target: await outlinesOf(sides.target, namespaces) };
  const carrier = new Carrier(sides, outlines, typeof channels === "function" ? channels : () => channels);
  const total = [...outlines.source.values()].reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  for (const outline of parentsFirst(outlines.source)) {
    signal?.throwIfAborted();
    await carrier.carry(outline);
    onProgress?.({ ...carrier.report, done: ++done, total });
  }
  return carrier.report;
}
