import type { Channel, CheckpointId, Reading } from "../idb/index.ts";
import { Gather } from "./gather.ts";
import type { NamespaceState } from "./namespace.ts";
import type { StateReply, StateRequest } from "./thread-types.ts";

/** A checkpoint with the values of some of its channels. */
export async function readState(tx: Reading, space: NamespaceState, { id, channels, pending = false }: StateRequest): Promise<StateReply> {
  const wanted = id ?? (await space.newest(tx));
  const row = wanted === undefined ? undefined : await space.checkpoint(tx, wanted);
  if (wanted === undefined || row === undefined) return { runs: [] };
  const gather = new Gather();
  const isWanted = new Set(channels ?? row.channels.map(({ name }) => name));
  for (const { name, ref } of row.channels) if (isWanted.has(name)) gather.want(space, name, ref);
  await gather.load(tx);
  const onIt = pending ? await pendingChannels(tx, space, wanted) : [];
  return {
    checkpoint: {
      id: wanted,
      ...(row.parent === undefined ? {} : { parent: row.parent }),
      head: row.head.slice(),
      channels: row.channels.map(({ name, version, ref }) => ({
        name,
        ...(version === undefined ? {} : { version }),
        ...(ref === undefined ? {} : { shape: ref.shape }),
        ...(ref === undefined || !isWanted.has(name) ? {} : { value: gather.value(space, name, ref) }),
      })),
      pending: onIt,
    },
    runs: gather.runs,
  };
}

/** The channels that something was written to on a checkpoint. */
export async function pendingChannels(tx: Reading, space: NamespaceState, id: CheckpointId): Promise<Channel[]> {
  const row = await space.checkpoint(tx, id);
  if (row === undefined) return [];
  const tasks = (await space.journal.read(tx, [{ id, branch: row.branch, depth: row.depth }])).get(id);
  return [...new Set([...(tasks?.values() ?? [])].flatMap((writes) => writes.map(({ channel }) => channel)))];
}
