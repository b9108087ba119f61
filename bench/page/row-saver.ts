import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  compareWritesSortKeys,
  copyCheckpoint,
  type PendingWrite,
  WRITES_IDX_MAP,
  writesSortKey,
} from "@langchain/langgraph-checkpoint";

export interface CheckpointRow {
  readonly threadId: string;
  readonly ns: string;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly checkpoint: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface WriteRow {
  readonly threadId: string;
  readonly ns: string;
  readonly checkpointId: string;
  readonly taskId: string;
  readonly idx: number;
  readonly taskPath: string;
  readonly channel: string;
  readonly type: string;
  readonly value: Uint8Array;
}

/** Two tables of a database. */
export interface Rows {
  putCheckpoint(row: CheckpointRow): Promise<void>;
  /** A row with a negative idx takes the place of the one that is there, any other gives way to it. */
  putWrites(rows: readonly WriteRow[]): Promise<void>;
  checkpoint(threadId: string, ns: string, id: string): Promise<CheckpointRow | undefined>;
  /** The newest first, older than `before` if that is given. */
  newest(threadId: string, ns: string, limit: number, before?: string): Promise<readonly CheckpointRow[]>;
  writes(threadId: string, ns: string, checkpointId: string): Promise<readonly WriteRow[]>;
  deleteThread(threadId: string): Promise<void>;
  close(): Promise<void>;
}

const listPage = 20;

/**
 * The saver one would write by hand: a row per checkpoint with the whole serialized checkpoint, a row per write, keyed so that the
 * newest checkpoint and a checkpoint's writes are one range each. It keeps the base class's history walk, as most savers do.
 */
export class RowSaver extends BaseCheckpointSaver {
  readonly rows: Rows;

  constructor(rows: Rows) {
    super();
    this.rows = rows;
  }

  close(): Promise<void> {
    return this.rows.close();
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    if (config.configurable?.["thread_id"] === undefined) return undefined;
    const { threadId, ns, id } = place(config);
    const row = id === undefined ? (await this.rows.newest(threadId, ns, 1))[0] : await this.rows.checkpoint(threadId, ns, id);
    return row === undefined ? undefined : this.#tuple(row);
  }

  /** Of one thread and namespace, which is all that a graph asks for. */
  async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { threadId, ns, id } = place(config);
    const filter = Object.entries(options.filter ?? {});
    let before: string | undefined = options.before?.configurable?.["checkpoint_id"];
    let left = options.limit ?? Infinity;
    while (left > 0) {
      const rows = await this.rows.newest(threadId, ns, listPage, before);
      for (const row of rows) {
        if (id !== undefined && row.id !== id) continue;
        const metadata = await this.serde.loadsTyped("json", row.metadata);
        if (!filter.every(([key, value]) => metadata[key] === value)) continue;
        yield await this.#tuple(row);
        left -= 1;
        if (left <= 0) return;
      }
      if (rows.length < listPage) return;
      before = rows.at(-1)?.id;
    }
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    _newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { threadId, ns, id: parentId } = place(config);
    const [[, checkpointBytes], [, metadataBytes]] = await Promise.all([
      this.serde.dumpsTyped(copyCheckpoint(checkpoint)),
      this.serde.dumpsTyped(metadata),
    ]);
    await this.rows.putCheckpoint({ threadId, ns, id: checkpoint.id, parentId, checkpoint: checkpointBytes, metadata: metadataBytes });
    return configOf(threadId, ns, checkpoint.id);
  }

  async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string, taskPath = ""): Promise<void> {
    const { threadId, ns, id: checkpointId } = place(config);
    if (checkpointId === undefined) throw new Error("putWrites needs a checkpoint_id");
    const rows = await Promise.all(
      writes.map(async ([channel, written], position): Promise<WriteRow> => {
        const [type, value] = await this.serde.dumpsTyped(written);
        const idx = Object.hasOwn(WRITES_IDX_MAP, channel) ? (WRITES_IDX_MAP[channel] ?? position) : position;
        return { threadId, ns, checkpointId, taskId, idx, taskPath, channel, type, value };
      }),
    );
    await this.rows.putWrites(rows);
  }

  deleteThread(threadId: string): Promise<void> {
    return this.rows.deleteThread(threadId);
  }

  async #tuple(row: CheckpointRow): Promise<CheckpointTuple> {
    const writes = [...(await this.rows.writes(row.threadId, row.ns, row.id))];
    writes.sort((a, b) =>
      compareWritesSortKeys(writesSortKey(a.taskPath, a.taskId, a.idx), writesSortKey(b.taskPath, b.taskId, b.idx)),
    );
    const tuple: CheckpointTuple = {
      config: configOf(row.threadId, row.ns, row.id),
      checkpoint: await this.serde.loadsTyped("json", row.checkpoint),
      metadata: await this.serde.loadsTyped("json", row.metadata),
      pendingWrites: await Promise.all(
        writes.map(async ({ taskId, channel, type, value }): Promise<[string, string, unknown]> => [
          taskId,
          channel,
          await this.serde.loadsTyped(type, value),
        ]),
      ),
    };
    if (row.parentId !== undefined) tuple.parentConfig = configOf(row.threadId, row.ns, row.parentId);
    return tuple;
  }
}

function place(config: RunnableConfig): { threadId: string; ns: string; id: string | undefined } {
  const { thread_id: threadId, checkpoint_ns: ns, checkpoint_id: id } = config.configurable ?? {};
  if (typeof threadId !== "string") throw new Error("the config has no thread_id");
  return { threadId, ns: ns ?? "", id: id === "" ? undefined : id };
}

function configOf(threadId: string, ns: string, id: string): RunnableConfig {
  return { configurable: { thread_id: threadId, checkpoint_ns: ns, checkpoint_id: id } };
}
