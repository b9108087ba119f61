import type { Channel, CheckpointId, Reading } from "../idb/index.ts";
import type { ChannelRow, CheckpointRow } from "./checkpoint-row.ts";
import { history } from "./history.ts";
import type { NamespaceState } from "./namespace.ts";
import type { ThreadState } from "./thread.ts";
import { tuples } from "./tuples.ts";
import type { HistoryAlong, TupleReply, TupleRequest } from "./types.ts";

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
  const isRebuilt = (channel: ChannelRow) => (along === "likely" ? isLikely(channel) : along.includes(channel.name));
  const channels = without.filter(isRebuilt).map(({ name }): Channel => name);
  return channels.length === 0 ? undefined : { ...(await history(tx, space, { ...request, channels })), channels };
}

/** Delta channels are those that never had a value on the branch, or last had a snapshot. */
function isLikely({ nearest, isSnapshot }: ChannelRow): boolean {
  return nearest === undefined || isSnapshot === true;
}
