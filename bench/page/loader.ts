import type { BaseMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { type BaseCheckpointSaver, type ChannelVersions, type Checkpoint, type CheckpointMetadata, DeltaSnapshot, uuid6 } from "@langchain/langgraph-checkpoint";
import { threadId } from "./workload.ts";

/** How a channel of messages is kept: its full list in every checkpoint, or a delta channel with a snapshot frequency. */
export type Channels = Readonly<Record<string, "plain" | number>>;

interface Kept {
  readonly list: readonly BaseMessage[];
  /** Since the last snapshot, as LangGraph counts them. */
  readonly updates: number;
  readonly supersteps: number;
}

interface Tip {
  readonly config: RunnableConfig;
  readonly versions: ChannelVersions;
  readonly kept: Readonly<Record<string, Kept>>;
  /** The channels that hold a value beside the messages, with it. */
  readonly others: Readonly<Record<string, unknown>>;
  readonly step: number;
}

const branch = "branch:to:model";

/**
 * Hands a saver what LangGraph hands it for the turns of a chat, without running the graph: the same checkpoints, writes, versions and
 * counters, in the same order. A graph can go on from where it ends.
 */
export class Loader {
  readonly #saver: BaseCheckpointSaver;
  readonly #channels: Channels;
  #tip: Tip;

  private constructor(saver: BaseCheckpointSaver, channels: Channels, tip: Tip) {
    this.#saver = saver;
    this.#channels = channels;
    this.#tip = tip;
  }

  static start(saver: BaseCheckpointSaver, channels: Channels, thread = threadId): Loader {
    const config = { configurable: { thread_id: thread, checkpoint_ns: "" } };
    const none = { list: [], updates: 0, supersteps: 0 };
    const kept = Object.fromEntries(Object.keys(channels).map((channel) => [channel, none]));
    return new Loader(saver, channels, { config, versions: {}, kept, others: {}, step: -2 });
  }

  /** After the newest checkpoint of a graph's thread, whose messages are `lists`. */
  static async resume(saver: BaseCheckpointSaver, channels: Channels, lists: Readonly<Record<string, readonly BaseMessage[]>>): Promise<Loader> {
    const tuple = await saver.getTuple({ configurable: { thread_id: threadId, checkpoint_ns: "" } });
    if (tuple === undefined) throw new Error("there is no thread to resume");
    const { checkpoint, metadata } = tuple;
    const kept = Object.fromEntries(
      Object.entries(lists).map(([channel, list]) => {
        const [updates, supersteps] = metadata?.counters_since_delta_snapshot?.[channel] ?? [0, 0];
        return [channel, { list, updates, supersteps }];
      }),
    );
    return new Loader(saver, channels, { config: tuple.config, versions: checkpoint.channel_versions, kept, others: {}, step: metadata?.step ?? 0 });
  }

  /** The newest checkpoint. */
  get config(): RunnableConfig {
    return this.#tip.config;
  }

  /** Another branch: as with a graph it begins with a checkpoint of its own, under which its writes are. */
  async fork(): Promise<Loader> {
    const forked = new Loader(this.#saver, this.#channels, this.#tip);
    await forked.#put("input", {}, { __start__: {} });
    return forked;
  }

  /** The user's messages, then the model's: three checkpoints. */
  async turn(question: readonly BaseMessage[], answer: readonly BaseMessage[]): Promise<void> {
    await this.#put("input", {}, { __start__: { messages: question } });
    await this.#step({ messages: question }, { [branch]: null }, "__start__");
    await this.step({ messages: answer });
  }

  /** A question in channels that hold one value, then what the node writes: three checkpoints. */
  async ask(input: Readonly<Record<string, unknown>>, answer: Readonly<Record<string, readonly BaseMessage[]>>): Promise<void> {
    await this.#put("input", {}, { __start__: input });
    await this.#step({}, { ...input, [branch]: null }, "__start__");
    await this.#step(answer, input, "model");
  }

  /** One superstep of the node that writes messages: one checkpoint. */
  step(written: Readonly<Record<string, readonly BaseMessage[]>>): Promise<void> {
    return this.#step(written, {}, "model");
  }

  /** A superstep that changes nothing but a number beside the messages. */
  async tick(): Promise<void> {
    await this.#put("loop", {}, { tick: this.#tip.step });
  }

  async #step(written: Readonly<Record<string, readonly BaseMessage[]>>, others: Readonly<Record<string, unknown>>, node: string): Promise<void> {
    const writes = [...Object.entries(written), ...Object.entries(others)].map(([channel, value]): [string, unknown] => [channel, value]);
    await this.#saver.putWrites(this.#tip.config, writes, crypto.randomUUID(), `~__pregel_pull, ${node}`);
    await this.#put("loop", written, others);
  }

  async #put(source: "input" | "loop", written: Readonly<Record<string, readonly BaseMessage[]>>, others: Readonly<Record<string, unknown>>): Promise<void> {
    const { config, versions, kept: before, step: last } = this.#tip;
    const step = last + 1;
    const next = this.#saver.getNextVersion(newest(versions));
    const changed = [...Object.keys(written), ...new Set([...Object.keys(others), ...Object.keys(this.#tip.others)])];
    const newVersions: ChannelVersions = Object.fromEntries(changed.map((channel) => [channel, next]));
    const kept: Record<string, Kept> = {};
    const values: Record<string, unknown> = { ...others };
    for (const [channel, how] of Object.entries(this.#channels)) {
      const { list: old, updates: oldUpdates, supersteps } = before[channel] ?? { list: [], updates: 0, supersteps: 0 };
      const added = written[channel];
      const list = added === undefined ? old : [...old, ...added];
      const updates = oldUpdates + (added === undefined ? 0 : 1);
      const snapshot = typeof how === "number" && added !== undefined && updates >= how;
      kept[channel] = snapshot ? { list, updates: 0, supersteps: 0 } : { list, updates, supersteps: supersteps + 1 };
      if (how === "plain" && list.length > 0) values[channel] = list;
      if (snapshot) values[channel] = new DeltaSnapshot(list);
    }
    const checkpoint: Checkpoint = {
      v: 4,
      id: uuid6(step),
      ts: new Date().toISOString(),
      channel_values: values,
      channel_versions: { ...versions, ...newVersions },
      versions_seen: { __input__: {}, __start__: { __start__: versions["__start__"] ?? next }, model: { [branch]: versions[branch] ?? next } },
    };
    const counters = Object.entries(this.#channels).flatMap(([channel, how]): [string, [number, number]][] => {
      const { updates, supersteps } = kept[channel] ?? { updates: 0, supersteps: 0 };
      return how === "plain" ? [] : [[channel, [updates, supersteps]]];
    });
    const metadata: CheckpointMetadata = {
      source,
      step,
      parents: {},
      ...(counters.length === 0 ? {} : { delta_writes_versioned: true, counters_since_delta_snapshot: Object.fromEntries(counters) }),
    };
    const stored = await this.#saver.put(config, checkpoint, metadata, newVersions);
    this.#tip = { config: stored, versions: checkpoint.channel_versions, kept, others, step };
  }
}

/** The savers here number their versions. */
function newest(versions: ChannelVersions): number | undefined {
  const numbers = Object.values(versions).map(Number);
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}
