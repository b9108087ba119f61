import type { Reading } from "../idb/index.ts";
import { Gather } from "./gather.ts";
import type { NamespaceState } from "./namespace.ts";
import type { StateReply, StateRequest } from "./thread-types.ts";

/** A checkpoint with the values of some of its channels. */
export async function readState(tx: Reading, space: NamespaceState, { id, channels }: StateRequest): Promise<StateReply> {
  const wanted = id ?? (await space.newest(tx));
  const row = wanted === undefined ? undefined : await space.checkpoint(tx, wanted);
  if (wanted === undefined || row === undefined) return { runs: [] };
  const gather = new Gather();
  const isWanted = new Set(channels ?? row.channels.map(({ name }) => name));
  for (const { name, ref } of row.channels) if (isWanted.has(name)) gather.want(space, name, ref);
  await gather.load(tx);
  return {
    checkpoint: {
      id: wanted,
      ...(row.parent === undefined ? {} : { parent: row.parent }),
      head: row.head.slice(),
      channels: row.channels.map(({ name, version, ref }) => ({
        name,
        ...(version === undefined ? {} : { version }),
        stored: ref !== undefined,
        ...(ref === undefined || !isWanted.has(name) ? {} : { value: gather.value(space, name, ref) }),
      })),
    },
    runs: gather.runs,
  };
}
