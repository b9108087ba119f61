import type { RunnableConfig } from "@langchain/core/runnables";
import type {
  BaseCheckpointSaver,
  ChannelVersions,
  Checkpoint,
  CheckpointListOptions,
  CheckpointMetadata,
  CheckpointTuple,
  DeltaChannelHistory,
} from "@langchain/langgraph-checkpoint";

/** The id of the n-th checkpoint: ordered as n is, and shaped as LangGraph's own. */
export const checkpointId = (n: number): string => `1f000000-0000-6000-8000-${String(n).padStart(12, "0")}`;

/** A thread, or the place in it that a checkpoint was put at. */
export function at(thread_id: string, checkpoint_ns = "", n?: number): RunnableConfig {
  return { configurable: { thread_id, checkpoint_ns, ...(n === undefined ? {} : { checkpoint_id: checkpointId(n) }) } };
}

export interface Step {
  values?: Record<string, unknown>;
  /** Default: every channel of `values` at version n. */
  versions?: ChannelVersions;
  /** Default: `versions`. */
  newVersions?: ChannelVersions;
  versionsSeen?: Checkpoint["versions_seen"];
  metadata?: Record<string, unknown>;
}

export function metadataOf(n: number, extra: Record<string, unknown> = {}): CheckpointMetadata {
  return { source: "loop", step: n, parents: {}, ...extra };
}

export function checkpoint(n: number, { values = {}, versions, versionsSeen = {} }: Step = {}): Checkpoint {
  return {
    v: 4,
    id: checkpointId(n),
    ts: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
    channel_values: values,
    channel_versions: versions ?? Object.fromEntries(Object.keys(values).map((channel) => [channel, n])),
    versions_seen: versionsSeen,
  };
}

/** Puts the n-th checkpoint under `parent` and gives the config that addresses it. */
export function put(saver: BaseCheckpointSaver, parent: RunnableConfig, n: number, step: Step = {}): Promise<RunnableConfig> {
  const made = checkpoint(n, step);
  return saver.put(parent, made, metadataOf(n, step.metadata), step.newVersions ?? made.channel_versions);
}

/** The tuple at a config, which has to be there. */
export async function tupleAt(saver: BaseCheckpointSaver, config: RunnableConfig): Promise<CheckpointTuple> {
  const tuple = await saver.getTuple(config);
  if (tuple === undefined) throw new Error(`nothing is stored at ${JSON.stringify(config.configurable)}`);
  return tuple;
}

export async function valuesAt(saver: BaseCheckpointSaver, config: RunnableConfig): Promise<Record<string, unknown>> {
  return (await tupleAt(saver, config)).checkpoint.channel_values;
}

export async function historyOf(saver: BaseCheckpointSaver, config: RunnableConfig, channel: string): Promise<DeltaChannelHistory> {
  const history = (await saver.getDeltaChannelHistory({ config, channels: [channel] }))[channel];
  if (history === undefined) throw new Error(`no entry for ${channel}`);
  return history;
}

/** Only the values of a channel's history, oldest first. */
export async function writesOf(saver: BaseCheckpointSaver, config: RunnableConfig, channel: string): Promise<unknown[]> {
  return (await historyOf(saver, config, channel)).writes.map(([, , value]) => value);
}

export async function listed(
  saver: BaseCheckpointSaver,
  config: RunnableConfig,
  options?: CheckpointListOptions,
): Promise<CheckpointTuple[]> {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of saver.list(config, options)) tuples.push(tuple);
  return tuples;
}

/** The numbers of the checkpoints listed. */
export async function listedIds(saver: BaseCheckpointSaver, config: RunnableConfig, options?: CheckpointListOptions): Promise<string[]> {
  return (await listed(saver, config, options)).map(({ checkpoint: { id } }) => id);
}

/** A value after a trip through the storage, as the value of a channel and as the value of a write. */
export async function roundTrip(saver: BaseCheckpointSaver, value: unknown): Promise<{ channel: unknown; write: unknown }> {
  const config = await put(saver, at(`round trip ${crypto.randomUUID()}`), 1, { values: { channel: value } });
  await saver.putWrites(config, [["channel", value]], "task");
  const { checkpoint: stored, pendingWrites } = await tupleAt(saver, config);
  return { channel: stored.channel_values["channel"], write: pendingWrites?.[0]?.[2] };
}
