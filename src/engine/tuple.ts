import type { Channel, CheckpointId, Reading } from "../idb/index.ts";
import { type ChannelRow, channelOf, type CheckpointRow } from "./checkpoint-row.ts";
import { history } from "./history.ts";
import type { NamespaceState } from "./namespace.ts";
import type { ThreadState } from "./thread.ts";
import { tuples } from "./tuples.ts";
import { type HistoryAlong, isWrapped, type TupleReply, type TupleRequest } from "./types.ts";

/** One checkpoint, or the newest, and the history of the channels that have no value of their own in it. */
export async function tuple(tx: Reading, state: ThreadState, request: TupleRequest): Promise<TupleReply> {
  const space = state.namespace(request.namespace);
  const id = request.id ?? (await space.newest(tx));
  const row = id && (await space.checkpoint(tx, id));
  if (id === undefined || row === undefined) return { tuples: [], runs: [] };
  // A history that cannot be read is reported to who asks for it.
  const past = historyAlong(tx, space, { ...request, id }, row).catch(() => undefined);
  const [reply, along] = await Promise.all([tuples(tx, [{ state, space, id }]), past]);
  return { ...reply, ...(along === undefined ? {} : { along }) };
}

async function historyAlong(tx: Reading, space: NamespaceState, request: TupleRequest & { id: CheckpointId }, row: CheckpointRow): Promise<HistoryAlong | undefined> {
  const { along = [] } = request;
  const without = row.channels.filter(({ version, ref }) => version !== undefined && ref === undefined);
  const isRebuilt = await Promise.all(without.map(async (channel) => (along === "likely" ? isLikely(tx, space, row, channel) : along.includes(channel.name))));
  const channels = without.filter((_, index) => isRebuilt[index]).map(({ name }): Channel => name);
  return channels.length === 0 ? undefined : { ...(await history(tx, space, { ...request, channels })), channels };
}

/** Delta channels are those that never had a value on the branch, or last had a snapshot. */
async function isLikely(tx: Reading, space: NamespaceState, { branch }: CheckpointRow, { name, nearest }: ChannelRow): Promise<boolean> {
  if (nearest === undefined) return true;
  const [id] = await space.idsBetween(tx, branch, nearest, nearest);
  const ref = channelOf(id && (await space.checkpoint(tx, id)), name)?.ref;
  return ref !== undefined && isWrapped(ref.shape);
}
