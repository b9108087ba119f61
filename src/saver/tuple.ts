import type { Checkpoint, CheckpointMetadata, CheckpointPendingWrite, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { compareWritesSortKeys, writesSortKey } from "@langchain/langgraph-checkpoint";
import type { ValueCodec } from "../codec/index.ts";
import type { Run, StoredTuple, StoredValue, StoredWrites } from "../engine/index.ts";

/** What a checkpoint is besides its channels, stored as one value. Every row has one, so the names are short. */
export interface Head {
  readonly v: number;
  /** As milliseconds since 1970, if that says the same. */
  readonly t: number | string;
  readonly seen: Checkpoint["versions_seen"];
  readonly metadata: CheckpointMetadata;
}

export function headOf({ v, ts, versions_seen }: Checkpoint, metadata: CheckpointMetadata): Head {
  const time = Date.parse(ts);
  return { v, t: Number.isNaN(time) || new Date(time).toISOString() !== ts ? ts : time, seen: versions_seen, metadata };
}

/** How long decoding keeps the thread busy at a time, ms. A page has 16 for a frame. */
const SLICE_MS = 6;

/** Decodes the values of one reply, in slices between which the page can do what else it has to. */
export class Decoder {
  readonly #codec: ValueCodec;
  readonly #runs: readonly Run[];
  #until = performance.now() + SLICE_MS;

  constructor(codec: ValueCodec, runs: readonly Run[]) {
    this.#codec = codec;
    this.#runs = runs;
  }

  async value({ shape, pieces }: StoredValue): Promise<unknown> {
    const items: unknown[] = [];
    for (let at = 0; at < pieces.length; at += 3) {
      const run = this.#runs[pieces[at]!]!;
      const first = pieces[at + 1]!;
      for (let index = first; index < first + pieces[at + 2]!; index++) {
        if (performance.now() > this.#until) await this.#rest();
        const item = this.#codec.decode(run.bytes.subarray(index === 0 ? 0 : run.ends[index - 1], run.ends[index]), shape);
        items.push(item instanceof Promise ? await item : item);
      }
    }
    return this.#codec.assemble(shape, items);
  }

  async head(bytes: Uint8Array): Promise<Head> {
    return (await this.#codec.decode(bytes, 0)) as Head;
  }

  async tuple(stored: StoredTuple): Promise<CheckpointTuple> {
    const { thread, namespace, id, parent, channels } = stored;
    const { v, t, seen: versions_seen, metadata } = await this.head(stored.head);
    const values: [string, unknown][] = [];
    for (const { name, value } of channels) if (value !== undefined) values.push([name, await this.value(value)]);
    const [pendingWrites = []] = await this.writes(stored.writes);
    const checkpoint: Checkpoint = {
      v,
      id,
      ts: typeof t === "number" ? new Date(t).toISOString() : t,
      channel_values: fromEntries(values),
      channel_versions: fromEntries(channels.flatMap(({ name, version }) => (version === undefined ? [] : [[name, version]]))),
      versions_seen,
    };
    return {
      config: configOf(thread, namespace, id),
      checkpoint,
      metadata,
      pendingWrites,
      ...(parent === undefined ? {} : { parentConfig: configOf(thread, namespace, parent) }),
    };
  }

  /** The writes of each step, in the order in which a superstep applies them. */
  async writes({ names, numbers }: StoredWrites): Promise<CheckpointPendingWrite[][]> {
    const steps: { readonly key: ReturnType<typeof writesSortKey>; readonly write: CheckpointPendingWrite }[][] = [];
    for (let at = 0; at < numbers.length; ) {
      const [step, task, path, index, channel, shape, count] = numbers.subarray(at, at + 7) as unknown as [number, number, number, number, number, number, number];
      const value = await this.value({ shape, pieces: numbers.subarray(at + 7, (at += 7 + 3 * count)) });
      const [taskId, taskPath] = [names[task]!, names[path]!];
      (steps[step] ??= []).push({ key: writesSortKey(taskPath, taskId, index), write: [taskId, names[channel]!, value] });
    }
    return Array.from(steps, (step: (typeof steps)[number] | undefined = []) => step.sort((a, b) => compareWritesSortKeys(a.key, b.key)).map(({ write }) => write));
  }

  async #rest(): Promise<void> {
    await nextTask();
    this.#until = performance.now() + SLICE_MS;
  }
}

/** Sooner than a timer, of which browsers hold back the ones that follow each other. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

export function configOf(thread: string, namespace: string, id: string): { configurable: Record<string, string> } {
  return { configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id } };
}

/** A channel may be called `__proto__`: then too it is a key like any other. */
function fromEntries<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries);
}
