import type { Channel, Reading } from "../idb/index.ts";
import { channelOf } from "./checkpoint-row.ts";
import { history } from "./history.ts";
import type { ThreadState } from "./thread.ts";
import { tuples } from "./tuples.ts";
import type { TupleReply, TupleRequest } from "./types.ts";

/** One checkpoint, or the newest, and the history of the channels that have none of their own value in it. */
export async function tuple(tx: Reading, state: ThreadState, { thread, namespace, id, along = [] }: TupleRequest): Promise<TupleReply> {
  const space = state.namespace(namespace);
  const wanted = id ?? (await space.newest(tx));
  if (wanted === undefined) return { tuples: [], runs: [] };
  const row = along.length === 0 ? undefined : await space.checkpoint(tx, wanted);
  const isRebuilt = (name: Channel) => {
    const channel = channelOf(row, name);
    return channel?.version !== undefined && channel.ref === undefined;
  };
  const channels = along.filter(isRebuilt);
  if (channels.length === 0) return tuples(tx, [{ state, space, id: wanted }]);
  const [reply, past] = await Promise.all([tuples(tx, [{ state, space, id: wanted }]), history(tx, space, { thread, namespace, id: wanted, channels })]);
  return { ...reply, along: { ...past, channels } };
}
