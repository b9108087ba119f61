import { ThreadExistsError, UnknownThreadError } from "../errors/index.ts";
import { type BlockKey, type CheckpointId, type ContentKey, contentPages, idOf, keys, pages, put, ranges, type TaskId, type ThreadKey, type Writing } from "../idb/index.ts";
import { packCheckpoint, packLost, unpackCheckpoint } from "./checkpoint-row.ts";
import { packElements, unpackElements } from "./elements.ts";
import type { Loss } from "./lost.ts";
import { threadKeyOf, unpackRevision, unpackThread } from "./thread-row.ts";
import type { ThreadState } from "./thread.ts";
import type { CopyThreadRequest } from "./types.ts";
import { packBlock, packWrites, unpackBlock, unpackWrites } from "./writes-row.ts";

/** Rows to one request. */
const PAGE = 64;

/** Copies every row of a thread, under a key of its own: in one transaction, so of one moment, and whole or not at all. */
export async function copyThread(tx: Writing, state: ThreadState, { source, target }: CopyThreadRequest): Promise<void> {
  if (!state.isNew || state.revision.bytes > 0) throw new ThreadExistsError({ thread: target });
  const record = await tx.objectStore("threads").get(source);
  if (record === undefined) throw new UnknownThreadError({ thread: source });
  const from = threadKeyOf(source, record);
  const { title, metadata, lost } = unpackThread(source, record);
  const { updated: _, ...revision } = unpackRevision(from, await tx.objectStore("revisions").get(from));
  await copyRows(tx, from, state.key, lost ?? []);
  state.row = { ...state.row, ...(title === undefined ? {} : { title }), ...(metadata === undefined ? {} : { metadata }), ...(lost === undefined ? {} : { lost }) };
  state.revision = { ...state.revision, ...revision };
}

/** A row's checksum is also of its key, so each is made anew. */
async function copyRows(tx: Writing, from: ThreadKey, to: ThreadKey, lost: readonly Loss[]): Promise<void> {
  const range = ranges.thread(from);
  for await (const page of pages(tx, "checkpoints", range, PAGE)) {
    for (const { key: [, namespace, idKey], value } of page) {
      const id = idOf<CheckpointId>(idKey);
      const [, , branch, depth] = value.lineage;
      const isLost = lost.some((loss) => loss.part === "row" && loss.id === id && loss.namespace === namespace);
      const copy = isLost ? packLost([to, namespace, id], { branch, depth }) : packCheckpoint([to, namespace, id], unpackCheckpoint([from, namespace, id], value));
      put(tx, "checkpoints", copy, keys.checkpoint(to, namespace, id));
    }
  }
  for await (const page of pages(tx, "writes", range, PAGE)) {
    for (const { key: [, namespace, idKey, taskKey], value } of page) {
      const [id, task] = [idOf<CheckpointId>(idKey), idOf<TaskId>(taskKey)];
      put(tx, "writes", packWrites([to, namespace, id, task], unpackWrites([from, namespace, id, task], value)), keys.writes(to, namespace, id, task));
    }
  }
  for await (const page of pages(tx, "blocks", range, PAGE)) {
    for (const { key, value } of page) {
      const copy: BlockKey = [to, key[1], key[2], key[3]];
      put(tx, "blocks", packBlock(copy, unpackBlock(key, value)), copy);
    }
  }
  for await (const page of pages(tx, "pasts", range, PAGE)) {
    for (const { key: [, namespace, idKey, part], value } of page) {
      const id = idOf<CheckpointId>(idKey);
      put(tx, "pasts", packBlock([to, namespace, id, part], unpackBlock([from, namespace, id, part], value, "pasts")), keys.past(to, namespace, id, part));
    }
  }
  for await (const page of contentPages(tx, range)) {
    for (const { key, value } of page) {
      const copy: ContentKey = [to, key[1], key[2], key[3], key[4]];
      put(tx, "content", packElements(copy, unpackElements(key, value)), copy);
    }
  }
}
