import { InvalidConfigError } from "../errors/index.ts";

/**
 * What of the threads stays. A checkpoint stays if one of these says so, and the newest of each namespace always does; every
 * one that stays keeps its whole state. Pinned threads are left alone.
 */
export interface RetentionPolicy {
  /** So many of the newest checkpoints stay: a number, 1 or more. A subgraph has as many of its own. */
  readonly keepLast?: number;
  /** Checkpoints stay for so many milliseconds. */
  readonly keepFor?: number;
  /** The last checkpoint of each branch stays. Default: `true`. Without `keepLast` and `keepFor` no checkpoint goes, whatever this says. */
  readonly keepTips?: boolean;
  /**
   * What all threads may take together, in bytes of their rows as {@link ThreadInfo.bytes} counts them. While it is more, whole threads
   * go: those first that were written to longest ago, never a pinned one, and never the one that was written to last.
   */
  readonly maxBytes?: number;
}

export interface PruneOptions extends RetentionPolicy {
  /** Only these, pinned or not. Default: all that are not pinned. `maxBytes` is for all threads, and not to be had with this. */
  readonly threads?: readonly string[];
  /** Removes nothing, and tells what would go. */
  readonly dryRun?: boolean;
  /** Stops between two transactions: what went until then has gone. */
  readonly signal?: AbortSignal;
}

/** Of one thread, what went of it. */
export interface PrunedThread {
  readonly id: string;
  /** How many checkpoints went. */
  readonly checkpoints: number;
  /** How many bytes its rows are less. */
  readonly bytes: number;
  /** It went as a whole. */
  readonly deleted: boolean;
}

export interface PruneReport {
  /** The threads that something went of. */
  readonly threads: readonly PrunedThread[];
  /** How many bytes the rows are less, of all of them. */
  readonly bytes: number;
  /** Threads of which nothing went because a row of them is damaged. */
  readonly damaged: readonly string[];
}

/** A policy that is applied by itself, when there is time. */
export interface Retention extends RetentionPolicy {
  /** Milliseconds from one time to the next. Default: an hour. The first is within ten seconds after the first use. */
  readonly every?: number;
  /** Told what went, each time that something did. */
  readonly onPruned?: (report: PruneReport) => void;
  /** Told why it could not be applied; it is tried again the next time. Default: an unhandled rejection, for the page's own reporting to see. */
  readonly onError?: (error: unknown) => void;
}

/** @throws InvalidConfigError */
export function requirePolicy({ keepLast, keepFor, keepTips, maxBytes }: RetentionPolicy): void {
  if (keepLast !== undefined && !(Number.isSafeInteger(keepLast) && keepLast >= 1)) {
    throw new InvalidConfigError({ field: "keepLast", hint: "It is a number of checkpoints: 1 or more." });
  }
  if (keepFor !== undefined && !(keepFor >= 0)) throw new InvalidConfigError({ field: "keepFor", hint: "It is a number of milliseconds." });
  if (keepTips !== undefined && typeof keepTips !== "boolean") throw new InvalidConfigError({ field: "keepTips", hint: "It is true or false." });
  if (maxBytes !== undefined && !(maxBytes >= 0)) throw new InvalidConfigError({ field: "maxBytes", hint: "It is a number of bytes." });
  if (keepLast === undefined && keepFor === undefined && maxBytes === undefined) {
    throw new InvalidConfigError({ field: "keepLast", hint: "Say what is to stay by keepLast, keepFor or maxBytes." });
  }
}
