import { type CheckpointId, idOf, pages, ranges, type Reading, type ThreadKey } from "../idb/index.ts";
import { unpackCheckpoint } from "./checkpoint-row.ts";
import type { HeadsReply, HeadsRequest } from "./types.ts";

const PAGE = 1024;

/** One page of the checkpoints of a thread, without what they hold. */
export async function readHeads(tx: Reading, thread: ThreadKey, { after }: HeadsRequest): Promise<HeadsReply> {
  const range = after === undefined ? ranges.thread(thread) : ranges.checkpointsAfter(thread, after.namespace, after.id);
  const first = await pages(tx, "checkpoints", range, PAGE).next();
  const rows = first.done === true ? [] : first.value;
  const heads = rows.map(({ key: [, namespace, idKey], value }) => {
    const id = idOf<CheckpointId>(idKey);
    const { parent, head } = unpackCheckpoint([thread, namespace, id], value);
    return { namespace, id, ...(parent === undefined ? {} : { parent }), head: head.slice() };
  });
  const last = heads.length < PAGE ? undefined : heads.at(-1);
  return { heads, ...(last === undefined ? {} : { next: { namespace: last.namespace, id: last.id } }) };
}
