/**
 * By delta channel, since its last snapshot: how often it was written, and how many steps there were. LangGraph keeps them in
 * a checkpoint's metadata under the same name.
 */
export type Counters = Readonly<Record<string, readonly [updates: number, steps: number]>>;

export const COUNTERS = "counters_since_delta_snapshot";

/** Set where every write to a delta channel has a version, so that a channel without one was never written. */
export const VERSIONED = "delta_writes_versioned";
