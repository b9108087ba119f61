import { DamagedError } from "../errors/index.ts";
import type { Branch, Channel, CheckpointId, CheckpointRecord, Lineage, Namespace, ThreadKey } from "../idb/index.ts";
import { packr } from "../msgpack/index.ts";
import { packId, unpackId } from "./packed-id.ts";
import { type PackedRef, packRef, type Ref, unpackRef } from "./ref.ts";
import { seal, unseal } from "./seal.ts";
import { expand, squeeze } from "./squeeze.ts";
import type { Version } from "./types.ts";
import { bytes, groups, list, refuse, text, wellFormed, whole } from "./well-formed.ts";

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

/** Keeps the place of a checkpoint whose row is lost: who only passes through need not read it, and who reads it finds it damaged. */
export function packLost([thread, namespace, id]: Identity, { branch, depth }: Pick<CheckpointRow, "branch" | "depth">): CheckpointRecord {
  const lineage: Lineage = [thread, namespace, branch, depth];
  return { lineage, body: seal([id, ...lineage], squeeze(packr.pack(null))) };
}

export function unpackCheckpoint([thread, namespace, id]: Identity, record: unknown): CheckpointRow {
  const { lineage, body } = (record ?? {}) as Partial<CheckpointRecord>;
  const damaged = () => new DamagedError({ store: "checkpoints", key: JSON.stringify([thread, namespace, id]) });
  if (!Array.isArray(lineage) || lineage[0] !== thread || lineage[1] !== namespace) throw damaged();
  const [, , branch, depth] = lineage;
  const expanded = expand(unseal("checkpoints", [id, ...lineage], body));
  if (expanded === undefined) throw damaged();
  return wellFormed("checkpoints", [thread, namespace, id], () => {
    const [parent, head, channels, past] = list(packr.unpack(expanded));
    return {
      ...(parent === null ? {} : { parent: unpackId<CheckpointId>(parent) }),
      ...(past === undefined ? {} : { past: pastOf(past) }),
      branch: whole(branch) as Branch,
      depth: whole(depth),
      head: bytes(head),
      channels: Array.from(groups(channels, 3), unpackChannel),
    };
  });
}

function unpackChannel([name, version, place]: readonly unknown[]): ChannelRow {
  return {
    name: text(name) as Channel,
    ...(version === null ? {} : { version: versionOf(version) }),
    ...(place === null ? {} : typeof place === "number" ? { nearest: whole(place >> 1), isSnapshot: whole(place) % 2 === 1 } : { ref: unpackRef(place) }),
  };
}

function pastOf(packed: unknown): PastOf {
  const [rows, ...branches] = list(packed).map((part) => whole(part));
  return { rows: rows ?? refuse("a past"), branches: branches as Branch[] };
}

function versionOf(version: unknown): Version {
  if (typeof version === "string") return version;
  return typeof version === "number" && !Object.is(version, -0) ? version : refuse("a version");
}

/** The value, or where the nearest one is: its depth doubled, and one more for a snapshot. */
function packPlace({ ref, nearest, isSnapshot = false }: ChannelRow): PackedRef | number | null {
  if (ref !== undefined) return packRef(ref);
  return nearest === undefined ? null : 2 * nearest + (isSnapshot ? 1 : 0);
}
