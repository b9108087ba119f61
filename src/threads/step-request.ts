import type { Durability, EncodedValue } from "../engine/index.ts";
import type { Channel, CheckpointId, Namespace, ThreadId } from "../idb/index.ts";

/** A step as it is asked for: what it writes, and where. */
export interface StepRequest {
  readonly thread: ThreadId;
  readonly namespace: Namespace;
  /** Absent: the newest. `null`: the step is the thread's first. */
  readonly parent?: CheckpointId | null;
  /** What to do if the thread went on from the parent. */
  readonly stale: "reject" | "fork";
  readonly writes: readonly { readonly channel: Channel; readonly value: EncodedValue }[];
  /** Channels of messages to which the step only adds, so that it does not matter what they hold. */
  readonly adds: readonly Channel[];
  /** Of the application, for the checkpoint. */
  readonly metadata: EncodedValue;
  readonly durability: Durability;
}

/** An engine may take hold of what it is given, and a step may be tried again. */
export function copyOf(writes: StepRequest["writes"]): StepRequest["writes"] {
  return writes.map(({ channel, value }) => ({ channel, value: { ...value, bytes: value.bytes.slice(), ends: value.ends.slice() } }));
}
