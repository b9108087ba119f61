import { ConflictError, UnknownCheckpointError } from "../errors/index.ts";
import type { Writing } from "../idb/index.ts";
import type { Assumptions } from "./assumptions.ts";
import { putCheckpoint } from "./put-checkpoint.ts";
import { putWrites } from "./put-writes.ts";
import { pendingChannels } from "./read-state.ts";
import type { ThreadState } from "./thread.ts";
import type { AppendRequest } from "./thread-types.ts";

/** Stores a step. Whether the thread went on meanwhile is looked up in the transaction that stores it. */
export async function append(tx: Writing, state: ThreadState, request: AppendRequest, assumptions: Assumptions): Promise<void> {
  const { namespace, parent, task, durability } = request;
  const isTip = await isLast(tx, state, request);
  if (!isTip && (request.at === "tip" || (await hasMorePending(tx, state, request)))) throw new ConflictError({ thread: state.id, parent });
  if (isTip && parent !== undefined && request.writes.length > 0) {
    const writes = request.writes.map((write, index) => ({ ...write, index }));
    await putWrites(tx, state, { thread: state.id, namespace, checkpoint: parent, task, path: "", writes, durability }, assumptions);
  }
  await putCheckpoint(tx, state, request);
}

async function hasMorePending(tx: Writing, state: ThreadState, { namespace, parent, pending }: AppendRequest): Promise<boolean> {
  if (parent === undefined) return false;
  const now = await pendingChannels(tx, state.namespace(namespace), parent);
  return now.some((channel) => !pending.includes(channel));
}

async function isLast(tx: Writing, state: ThreadState, { namespace, parent }: AppendRequest): Promise<boolean> {
  const space = state.namespace(namespace);
  if (parent === undefined) return (await space.newest(tx)) === undefined;
  const row = await space.checkpoint(tx, parent);
  if (row === undefined) throw new UnknownCheckpointError({ thread: state.id, checkpoint: parent });
  return (await space.tip(tx, row.branch)) === row.depth;
}
