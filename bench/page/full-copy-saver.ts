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
import { type DBSchema, type IDBPDatabase, openDB } from "idb";

interface CheckpointRow {
  threadId: string;
  ns: string;
  id: string;
  parentId: string | undefined;
  checkpoint: Uint8Array;
  metadata: Uint8Array;
}

interface WriteRow {
  threadId: string;
  ns: string;
  checkpointId: string;
  taskId: string;
  idx: number;
  taskPath: string;
  channel: string;
  type: string;
  value: Uint8Array;
}

interface Schema extends DBSchema {
  checkpoints: { key: [string, string, string]; value: CheckpointRow };
  writes: { key: [string, string, string, string, number]; value: WriteRow };
}

const listPage = 20;

/**
 * The saver one would write by hand: a row per checkpoint with the whole serialized checkpoint, a row per write, keyed so that the
 * newest checkpoint and a checkpoint's writes are one range each. It keeps the base class's history walk, as most savers do.
 */
export class FullCopySaver extends BaseCheckpointSaver {
  readonly #name: string;
  #opening: Promise<IDBPDatabase<Schema>> | undefined;

  constructor(name: string) {
    super();
    this.#name = name;
  }

  #open(): Promise<IDBPDatabase<Schema>> {
    this.#opening ??= openDB<Schema>(this.#name, 1, {
      upgrade(database) {
        database.createObjectStore("checkpoints", { keyPath: ["threadId", "ns", "id"] });
        database.createObjectStore("writes", { keyPath: ["threadId", "ns", "checkpointId", "taskId", "idx"] });
      },
    });
    return this.#opening;
  }

  async close(): Promise<void> {
    (await this.#opening)?.close();
    this.#opening = undefined;
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    if (config.configurable?.["thread_id"] === undefined) return undefined;
    const { threadId, ns, id } = place(config);
    const database = await this.#open();
    const store = database.transaction("checkpoints").store;
    const row =
      id === undefined
        ? (await store.openCursor(IDBKeyRange.bound([threadId, ns], [threadId, ns, []]), "prev"))?.value
        : await store.get([threadId, ns, id]);
    return row === undefined ? undefined : this.#tuple(row);
  }

  async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const wanted: { thread_id?: string; checkpoint_ns?: string; checkpoint_id?: string } = config.configurable ?? {};
    const before: string | undefined = options.before?.configurable?.["checkpoint_id"];
    const filter = Object.entries(options.filter ?? {});
    let left = options.limit ?? Infinity;
    let range = wanted.thread_id === undefined ? null : prefix(wanted.thread_id, wanted.checkpoint_ns);
    while (left > 0) {
      const rows = await this.#page(range);
      for (const row of rows) {
        if (wanted.checkpoint_ns !== undefined && row.ns !== wanted.checkpoint_ns) continue;
        if (wanted.checkpoint_id !== undefined && row.id !== wanted.checkpoint_id) continue;
        if (before !== undefined && row.id >= before) continue;
        const metadata = await this.serde.loadsTyped("json", row.metadata);
        if (!filter.every(([key, value]) => metadata[key] === value)) continue;
        yield await this.#tuple(row);
        left -= 1;
        if (left <= 0) return;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < listPage) return;
      range = IDBKeyRange.bound(range?.lower ?? [], [last.threadId, last.ns, last.id], false, true);
    }
  }

  async #page(range: IDBKeyRange | null): Promise<CheckpointRow[]> {
    const database = await this.#open();
    const rows: CheckpointRow[] = [];
    let cursor = await database.transaction("checkpoints").store.openCursor(range, "prev");
    while (cursor !== null && rows.length < listPage) {
      rows.push(cursor.value);
      cursor = await cursor.continue();
    }
    return rows;
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
    const database = await this.#open();
    const transaction = database.transaction("checkpoints", "readwrite", { durability: "relaxed" });
    const row = { threadId, ns, id: checkpoint.id, parentId, checkpoint: checkpointBytes, metadata: metadataBytes };
    await Promise.all([transaction.store.put(row), transaction.done]);
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
    const database = await this.#open();
    const transaction = database.transaction("writes", "readwrite", { durability: "relaxed" });
    const putUnlessThere = async (row: WriteRow) => {
      const there = await transaction.store.getKey([threadId, ns, checkpointId, taskId, row.idx]);
      if (there === undefined) await transaction.store.put(row);
    };
    await Promise.all([
      ...rows.map((row) => (row.idx < 0 ? transaction.store.put(row) : putUnlessThere(row))),
      transaction.done,
    ]);
  }

  async deleteThread(threadId: string): Promise<void> {
    const database = await this.#open();
    const transaction = database.transaction(["checkpoints", "writes"], "readwrite");
    await Promise.all([
      transaction.objectStore("checkpoints").delete(prefix(threadId)),
      transaction.objectStore("writes").delete(prefix(threadId)),
      transaction.done,
    ]);
  }

  async #tuple(row: CheckpointRow): Promise<CheckpointTuple> {
    const database = await this.#open();
    const writes = await database.getAll("writes", prefix(row.threadId, row.ns, row.id));
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

function prefix(...parts: readonly (string | undefined)[]): IDBKeyRange {
  const known = parts.filter((part) => part !== undefined);
  return IDBKeyRange.bound(known, [...known, []]);
}

function configOf(threadId: string, ns: string, id: string): RunnableConfig {
  return { configurable: { thread_id: threadId, checkpoint_ns: ns, checkpoint_id: id } };
}
