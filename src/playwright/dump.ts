import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { plain } from "./plain.ts";

/** What a thread holds, as JSON can: its state, and the steps that led there, branches and subgraphs included. */
export interface ThreadDump {
  readonly id: string;
  readonly title?: string;
  readonly metadata?: unknown;
  readonly state: Readonly<Record<string, unknown>>;
  /** Oldest first, one namespace after another. */
  readonly checkpoints: readonly DumpedCheckpoint[];
}

export interface DumpedCheckpoint {
  readonly id: string;
  readonly namespace?: string;
  readonly parent?: string;
  readonly metadata: unknown;
  /** What tasks wrote on this checkpoint: what made the next one, or is still pending. */
  readonly writes: readonly { readonly task: string; readonly channel: string; readonly value: unknown }[];
}

/** @param tuples newest first */
export function checkpointsOf(tuples: readonly CheckpointTuple[]): DumpedCheckpoint[] {
  const byNamespace = new Map<string, DumpedCheckpoint[]>();
  for (const { config, checkpoint, parentConfig, metadata, pendingWrites = [] } of tuples.toReversed()) {
    const namespace = String(config.configurable?.["checkpoint_ns"] ?? "");
    const parent = parentConfig?.configurable?.["checkpoint_id"] as string | undefined;
    const dumped: DumpedCheckpoint = {
      id: checkpoint.id,
      ...(namespace === "" ? {} : { namespace }),
      ...(parent === undefined ? {} : { parent }),
      metadata: plain(metadata),
      writes: pendingWrites.map(([task, channel, value]) => ({ task, channel, value: plain(value) })),
    };
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), dumped]);
  }
  return [...byNamespace.values()].flat();
}
