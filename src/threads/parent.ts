import { COUNTERS, type Counters } from "../channels/index.ts";
import type { StateOfCheckpoint } from "../engine/index.ts";
import type { Head } from "./head.ts";

/** The checkpoint that a step is for. */
export interface Parent {
  readonly checkpoint: StateOfCheckpoint;
  readonly head: Head;
}

export function countersOf({ head }: Parent): Counters {
  return (head.metadata[COUNTERS] ?? {}) as Counters;
}

export function stepOf({ head }: Parent): number {
  return Number(head.metadata["step"] ?? -1);
}
