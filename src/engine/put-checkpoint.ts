import { type Branch, type CheckpointId, idOf, keys, put, ranges, remove, type Writing } from "../idb/index.ts";
import { type ChannelRow, channelOf, type CheckpointRow, packCheckpoint, type PastOf, unpackCheckpoint } from "./checkpoint-row.ts";
import { InternalError } from "../errors/index.ts";
import { edit } from "./edit-value.ts";
import { Gather } from "./gather.ts";
import type { Log } from "./log.ts";
import { LOST } from "./lost.ts";
import type { NamespaceState } from "./namespace.ts";
import { settleEarlyWrites } from "./put-writes.ts";
import type { Ref } from "./ref.ts";
import { inline, isBrief, place, requireStorable } from "./store-value.ts";
import type { ThreadState } from "./thread.ts";
import type { AppendChannel, EditedValue } from "./thread-types.ts";
import type { PutRequest, Version } from "./types.ts";
import { linkTo } from "./walk.ts";

/** One that brings a past gets a branch of its own: its history is not that of the checkpoint before it, even if its parent is there. */
type Placed = Pick<PutRequest, "namespace" | "id" | "parent" | "head"> & { readonly past?: PastOf };

type CheckpointRequest = Omit<PutRequest, "channels"> & { readonly channels: readonly AppendChannel[] };

/** Stores a checkpoint. Leaves writes alone: they may have come before it. */
export async function putCheckpoint(tx: Writing, state: ThreadState, request: CheckpointRequest): Promise<void> {
  const logs = new Set<Log>();
  await placeCheckpoint(tx, state, request, async (where) => {
    const step: Step = { ...where, request, logs };
    const channels: ChannelRow[] = [];
    for (const channel of request.channels) {
      const ref = await valueOf(step, channel);
      const { name, version } = channel;
      channels.push({ name, ...(version === undefined ? {} : { version }), ...(ref === undefined ? {} : { ref }) });
    }
    return channels;
  });
  for (const log of logs) state.revision.bytes += await log.flush(tx);
}

/** Puts a checkpoint where it belongs. What its channels hold is up to the caller, who then knows its branch. */
export async function placeCheckpoint(
  tx: Writing,
  state: ThreadState,
  request: Placed,
  channelsAt: (where: Where) => Promise<readonly ChannelRow[]>,
): Promise<void> {
  const { id, parent: parentId } = request;
  const space = state.namespace(request.namespace);
  await space.newest(tx);
  const [existing, parent] = await Promise.all([space.checkpoint(tx, id), parentId === undefined ? undefined : space.checkpoint(tx, parentId)]);
  const { branch, depth } = await placeOnBranch(tx, state, space, request, existing, parent);
  let bytes = 0;
  if (existing !== undefined && (existing.branch !== branch || existing.depth !== depth)) {
    bytes += await space.journal.unpack(tx, { id, branch: existing.branch, depth: existing.depth });
  }
  bytes += existing === undefined && space.mayHaveEarly(id) ? await settleEarlyWrites(tx, space, { id, branch, depth }) : 0;
  const channels = await channelsAt({ tx, space, branch, existing, parent });
  const isSameParent = existing !== undefined && existing.parent === parentId;
  if (existing?.past !== undefined && !isSameParent) remove(tx, "pasts", ranges.under(space.thread, space.name, id));
  const before = parent?.branch === branch && parent.depth === depth - 1 ? parent : undefined;
  const past = request.past ?? (isSameParent ? existing.past : undefined);
  const row: CheckpointRow = {
    ...(parentId === undefined ? {} : { parent: parentId }),
    ...(past === undefined ? {} : { past }),
    branch,
    depth,
    head: request.head,
    channels: linked(channels, before),
  };
  bytes += putRow(tx, space, id, row);
  space.placed(id, row, existing);
  if (existing === undefined) {
    state.revision.checkpoints++;
    bytes += await space.journal.pack(tx, branch, depth);
  } else {
    bytes += await relinkAfter(tx, space, row);
  }
  state.revision.bytes += bytes;
}

function putRow(tx: Writing, { thread, name }: NamespaceState, id: CheckpointId, row: CheckpointRow): number {
  const record = packCheckpoint([thread, name, id], row);
  put(tx, "checkpoints", record, keys.checkpoint(thread, name, id));
  return record.body.length;
}

/** The channels of a checkpoint, those without a value with where on the branch the nearest one is. */
export function linked(channels: readonly ChannelRow[], before: CheckpointRow | undefined): ChannelRow[] {
  const nearest = (channel: ChannelRow): ChannelRow => {
    const { nearest: _, isSnapshot: __, ...rest } = channel;
    return before === undefined || rest.ref !== undefined ? rest : { ...rest, ...linkTo(before, rest.name) };
  };
  const names = new Set(channels.map(({ name }) => name));
  const earlier = before?.channels.filter(({ name }) => !names.has(name)) ?? [];
  return [...channels, ...earlier.map(({ name }) => ({ name }))].map(nearest);
}

/** The checkpoints after one that was put again learn what that one stores now. Gives the bytes written. */
async function relinkAfter(tx: Writing, space: NamespaceState, row: CheckpointRow): Promise<number> {
  let bytes = 0;
  const lineage = tx.objectStore("checkpoints").index("lineage");
  for (let before = row; ; ) {
    const key = await lineage.getKey(ranges.lineage(space.thread, space.name, row.branch, before.depth + 1, before.depth + 1));
    const id = key && idOf<CheckpointId>(key[2]);
    const next = id && (await space.checkpoint(tx, id));
    if (next === undefined) return bytes;
    const own = next.channels.filter(({ version, ref }) => version !== undefined || ref !== undefined);
    const relinked = { ...next, channels: linked(own, before) };
    if (JSON.stringify(relinked.channels.map(linkOf)) === JSON.stringify(next.channels.map(linkOf))) return bytes;
    bytes += putRow(tx, space, id!, relinked);
    space.placed(id!, relinked, next);
    before = relinked;
  }
}

export function linkOf({ name, nearest, isSnapshot }: ChannelRow): unknown {
  return [name, nearest, isSnapshot];
}

/**
 * A checkpoint whose parent is the last one of its branch continues that branch; any other starts a branch. So on a branch
 * each one's parent is the one before it, and when that is no longer true (a parent put again elsewhere, or deleted) there is
 * a gap in the depths. A checkpoint put again under the same parent stays where it is.
 */
async function placeOnBranch(
  tx: Writing,
  state: ThreadState,
  space: NamespaceState,
  { id, parent: parentId, past }: Placed,
  existing: CheckpointRow | undefined,
  parent: CheckpointRow | undefined,
): Promise<{ branch: Branch; depth: number }> {
  if (existing !== undefined && existing.parent === parentId) return existing;
  if (parent !== undefined && parentId !== id && past === undefined && (await space.tip(tx, parent.branch)) === parent.depth) {
    return { branch: parent.branch, depth: parent.depth + 1 };
  }
  return { branch: state.revision.branches++ as Branch, depth: 0 };
}

/** Where a checkpoint is put. */
export interface Where {
  readonly tx: Writing;
  readonly space: NamespaceState;
  readonly branch: Branch;
  readonly existing: CheckpointRow | undefined;
  readonly parent: CheckpointRow | undefined;
}

interface Step extends Where {
  readonly request: CheckpointRequest;
  readonly logs: Set<Log>;
}

/**
 * What a checkpoint holds for a channel. A value belongs to a (channel, version): one that the step did not write is the
 * one stored at that version before, in the parent or else anywhere in the namespace, or there is none.
 */
async function valueOf(step: Step, channel: AppendChannel): Promise<Ref | undefined> {
  const before = sameVersion(step.parent, channel);
  if (channel.fresh) return store(step, channel, (before ?? channelOf(step.parent, channel.name))?.ref);
  if (before !== undefined) return shared(step, channel, before.ref);
  const again = sameVersion(step.existing, channel);
  if (again?.ref !== undefined) return again.ref;
  if (isUnique(channel.version)) return (await storedAtVersion(step, channel)).at(0);
  // The versions of other savers repeat on sibling branches: then only a value that came along can tell.
  return channel.value !== undefined && (await storedAtVersion(step, channel)).length > 0 ? store(step, channel, undefined) : undefined;
}

/** A value that a second checkpoint holds goes to a log, where all that hold it from now on find it. */
async function shared(step: Step, channel: AppendChannel, ref: Ref | undefined): Promise<Ref | undefined> {
  return ref === undefined || "pieces" in ref ? ref : (inline(ref) ?? place(ref, await logsOnPath(step, channel.name), []));
}

/** The versions that our saver makes have a fraction, and no other branch has them. */
function isUnique(version: Version | undefined): boolean {
  return typeof version === "number" && !Number.isInteger(version);
}

function sameVersion(row: CheckpointRow | undefined, channel: AppendChannel): ChannelRow | undefined {
  const entry = channelOf(row, channel.name);
  return entry?.version !== undefined && entry.version === channel.version ? entry : undefined;
}

/** Any checkpoint of the namespace may have stored it. Whoever copies one has mostly just read it; otherwise all are looked at. */
async function storedAtVersion({ tx, space }: Step, channel: AppendChannel): Promise<Ref[]> {
  const near = [...space.remembered()].flatMap((row) => sameVersion(row, channel)?.ref ?? []);
  if (near.length > 0) return near;
  const { thread, name } = space;
  const range = ranges.namespace(thread, name);
  const [found, records] = await Promise.all([tx.objectStore("checkpoints").getAllKeys(range), tx.objectStore("checkpoints").getAll(range)]);
  return found.flatMap((key, index) => sameVersion(unpackCheckpoint([thread, name, idOf(key[2])], records[index]), channel)?.ref ?? []);
}

async function store(step: Step, { name, value }: AppendChannel, earlier: Ref | undefined): Promise<Ref | undefined> {
  if (value === undefined) return undefined;
  requireStorable(value, name);
  if ("segments" in value) return edited(step, name, value);
  const small = inline(value);
  if (small !== undefined) return small;
  // One that replaces a value in a log may be that value still.
  if (isBrief(value) && !(earlier !== undefined && "pieces" in earlier)) return value;
  const logs = await logsOnPath(step, name);
  return place(value, logs, earlier !== undefined && "pieces" in earlier ? earlier.pieces : []);
}

/** What the parent holds stays where it is: of the logs only the branch's own is needed, to add to. */
async function edited({ tx, space, branch, parent, logs }: Step, name: AppendChannel["name"], value: EditedValue): Promise<Ref> {
  const earlier = channelOf(parent, name)?.ref;
  if (earlier === undefined || earlier === LOST) throw new InternalError({ reason: `an edit of "${name}", which the parent does not hold` });
  const log = await space.openLog(tx, name, branch);
  log.reserve(endIn(earlier, branch));
  logs.add(log);
  return edit(value, earlier, log);
}

/** The logs of a channel that hold what the path has stored, with what can be read of them: the branch's own first. */
export async function logsOnPath(step: Where & { readonly logs: Set<Log> }, channel: AppendChannel["name"]): Promise<[Log, ...Log[]]> {
  const { tx, space, branch, parent, existing } = step;
  const onPath = parent === undefined ? [] : await space.branchesOf(tx, parent.branch);
  const refs = [parent, existing].flatMap((row) => channelOf(row, channel)?.ref ?? []);
  const logs = await Promise.all([...new Set([branch, ...onPath, ...refs.flatMap(logsOf)])].map((each) => space.openLog(tx, channel, each)));
  for (const log of logs) log.reserve(Math.max(0, ...refs.map((ref) => endIn(ref, log.name))));
  const held = new Gather();
  for (const ref of refs) if (ref !== LOST) held.want(space, channel, ref);
  await held.fetch(tx);
  await Promise.all(logs.map((log) => log.fetchLast(tx)));
  const [own, ...others] = logs as [Log, ...Log[]];
  step.logs.add(own);
  return [own, ...others];
}

/** The logs that a value is in. */
function logsOf(ref: Ref): Branch[] {
  return "bytes" in ref ? [] : ref.pieces.map(({ log }) => log);
}

/** Up to where a value uses a log. */
function endIn(ref: Ref, log: Branch): number {
  if ("bytes" in ref) return 0;
  return ref.pieces.reduce((end, piece) => (piece.log === log ? Math.max(end, piece.start + piece.length) : end), 0);
}
