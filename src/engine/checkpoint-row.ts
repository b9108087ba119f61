import { DamagedError } from "../errors/index.ts";
import type { Branch, Channel, CheckpointId, CheckpointRecord, Lineage, Namespace, ThreadKey } from "../idb/index.ts";
import { packr } from "../msgpack/index.ts";
import { type PackedId, type PackedRef, packId, packRef, type Ref, unpackId, unpackRef } from "./ref.ts";
import { seal, unseal } from "./seal.ts";
import { expand, squeeze } from "./squeeze.ts";
import type { Version } from "./types.ts";

export interface ChannelRow {
  readonly name: Channel;
  readonly version?: Version;
  readonly ref?: Ref;
  /** Without a ref: the depth of the nearest checkpoint before this one on its branch that has one. Absent if none does. */
  readonly nearest?: number;
  /** Whether that value is a snapshot, and so the channel most likely a delta channel. */
  readonly isSnapshot?: boolean;
}

/** Of a checkpoint whose parent was removed: its history is what rows of `pasts` say, whatever comes back of its ancestors. */
export interface PastOf {
  /** How many rows; none if there was nothing to keep. */
  readonly rows: number;
  /** The branches that the path ran through, whose logs may hold what comes again. */
  readonly branches: readonly Branch[];
}

export interface CheckpointRow {
  readonly parent?: CheckpointId;
  readonly past?: PastOf;
  readonly branch: Branch;
  readonly depth: number;
  readonly head: Uint8Array<ArrayBuffer>;
  /** Those of the checkpoint, and the ones that only an earlier checkpoint of the branch has: without version and ref. */
  readonly channels: readonly ChannelRow[];
}

export function channelOf(row: CheckpointRow | undefined, channel: Channel): ChannelRow | undefined {
  return row?.channels.find(({ name }) => name === channel);
}

type Identity = readonly [ThreadKey, Namespace, CheckpointId];

export function packCheckpoint([thread, namespace, id]: Identity, row: CheckpointRow): CheckpointRecord {
  const channels = row.channels.flatMap((channel) => [channel.name, channel.version ?? null, packPlace(channel)]);
  const lineage: Lineage = [thread, namespace, row.branch, row.depth];
  const past = row.past === undefined ? [] : [[row.past.rows, ...row.past.branches]];
  const body = packr.pack([row.parent === undefined ? null : packId(row.parent), row.head, channels, ...past]);
  return { lineage, body: seal([id, ...lineage], squeeze(body)) };
}

export function unpackCheckpoint([thread, namespace, id]: Identity, record: unknown): CheckpointRow {
  const { lineage, body } = (record ?? {}) as Partial<CheckpointRecord>;
  const damaged = () => new DamagedError({ store: "checkpoints", key: JSON.stringify([thread, namespace, id]) });
  if (!Array.isArray(lineage) || lineage[0] !== thread || lineage[1] !== namespace) throw damaged();
  const [, , branch, depth] = lineage;
  const expanded = expand(unseal("checkpoints", [id, ...lineage], body));
  if (expanded === undefined) throw damaged();
  const [parent, head, flat, past] = packr.unpack(expanded) as [
    PackedId | null,
    Uint8Array<ArrayBuffer>,
    (Channel | Version | PackedRef | number | null)[],
    [rows: number, ...branches: Branch[]] | undefined,
  ];
  const channels: ChannelRow[] = [];
  for (let at = 0; at < flat.length; at += 3) {
    const [name, version, place] = flat.slice(at, at + 3) as [Channel, Version | null, PackedRef | number | null];
    channels.push({
      name,
      ...(version === null ? {} : { version }),
      ...(place === null ? {} : typeof place === "number" ? { nearest: Math.floor(place / 2), isSnapshot: place % 2 === 1 } : { ref: unpackRef(place) }),
    });
  }
  return {
    ...(parent === null ? {} : { parent: unpackId<CheckpointId>(parent) }),
    ...(past === undefined ? {} : { past: { rows: past[0], branches: past.slice(1) as Branch[] } }),
    branch,
    depth,
    head,
    channels,
  };
}

/** The value, or where the nearest one is: its depth doubled, and one more for a snapshot. */
function packPlace({ ref, nearest, isSnapshot = false }: ChannelRow): PackedRef | number | null {
  if (ref !== undefined) return packRef(ref);
  return nearest === undefined ? null : 2 * nearest + (isSnapshot ? 1 : 0);
}
