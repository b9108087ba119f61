import type { Checkpoint, CheckpointMetadata, CheckpointPendingWrite, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { compareWritesSortKeys, writesSortKey } from "@langchain/langgraph-checkpoint";
import type { ValueCodec } from "../codec/index.ts";
import type { Run, StoredTuple, StoredValue, StoredWrite } from "../engine/index.ts";

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

/** Decodes the values of one reply. */
export class Decoder {
  readonly #codec: ValueCodec;
  readonly #runs: readonly Run[];

  constructor(codec: ValueCodec, runs: readonly Run[]) {
    this.#codec = codec;
    this.#runs = runs;
  }

  value(value: StoredValue): unknown {
    return this.#codec.decode(value.shape, "pieces" in value ? this.#pieces(value.pieces) : elements(value, 0, value.ends.length));
  }

  async head(bytes: Uint8Array): Promise<Head> {
    return (await this.#codec.decode(0, [bytes])) as Head;
  }

  async tuple(stored: StoredTuple): Promise<CheckpointTuple> {
    const { thread, namespace, id, parent, channels } = stored;
    const { v, t, seen: versions_seen, metadata } = await this.head(stored.head);
    const values = await Promise.all(channels.map(({ value }) => (value === undefined ? undefined : this.value(value))));
    const checkpoint: Checkpoint = {
      v,
      id,
      ts: typeof t === "number" ? new Date(t).toISOString() : t,
      channel_values: fromEntries(channels.flatMap(({ name, value }, index) => (value === undefined ? [] : [[name, values[index]]]))),
      channel_versions: fromEntries(channels.flatMap(({ name, version }) => (version === undefined ? [] : [[name, version]]))),
      versions_seen,
    };
    return {
      config: configOf(thread, namespace, id),
      checkpoint,
      metadata,
      pendingWrites: await this.writes(stored.writes),
      ...(parent === undefined ? {} : { parentConfig: configOf(thread, namespace, parent) }),
    };
  }

  /** The writes of one checkpoint, in the order in which a superstep applies them. */
  async writes(writes: readonly StoredWrite[]): Promise<CheckpointPendingWrite[]> {
    const sorted = writes
      .map((write) => ({ write, key: writesSortKey(write.path, write.task, write.index) }))
      .sort((a, b) => compareWritesSortKeys(a.key, b.key));
    return Promise.all(
      sorted.map(async ({ write }): Promise<CheckpointPendingWrite> => [write.task, write.channel, await this.value(write.value)]),
    );
  }

  *#pieces(pieces: readonly number[]): Generator<Uint8Array> {
    for (let at = 0; at < pieces.length; at += 3) {
      yield* elements(this.#runs[pieces[at]!]!, pieces[at + 1]!, pieces[at + 2]!);
    }
  }
}

export function configOf(thread: string, namespace: string, id: string): { configurable: Record<string, string> } {
  return { configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id } };
}

function* elements(run: Pick<Run, "bytes"> & { readonly ends: ArrayLike<number> }, first: number, count: number): Generator<Uint8Array> {
  for (let index = first; index < first + count; index++) {
    yield run.bytes.subarray(index === 0 ? 0 : run.ends[index - 1], run.ends[index]);
  }
}

/** A channel may be called `__proto__`: then too it is a key like any other. */
function fromEntries<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries);
}
