import { type CheckpointId, type Namespace, put, type Writing } from "../idb/index.ts";
import { packThread, unpackThread } from "./thread-row.ts";
import type { ThreadState } from "./thread.ts";

/** Of checkpoints that were removed nothing is lost any more: one may come again under the same id. */
export async function forgetLosses(tx: Writing, state: ThreadState, namespace: Namespace, gone: readonly CheckpointId[]): Promise<void> {
  const isOver = (loss: { namespace: Namespace; id: CheckpointId }) => loss.namespace === namespace && gone.includes(loss.id);
  if (state.row.lost?.some(isOver) !== true) return;
  const record = await tx.objectStore("threads").get(state.id); // Another tab may have given it a title.
  if (record === undefined) return;
  const { lost = [], ...row } = unpackThread(state.id, record);
  const left = lost.filter((loss) => !isOver(loss));
  state.row = { ...row, ...(left.length === 0 ? {} : { lost: left }) };
  put(tx, "threads", packThread(state.id, state.row), state.id);
}
