import { type Branch, type CheckpointKey, type Namespace, put, ranges, type Writing } from "../idb/index.ts";
import type { Log } from "./log.ts";
import { settleEarlyWrites } from "./put-writes.ts";
import { type ChannelRow, type CheckpointRow, packCheckpoint, type Ref, refOf, unpackCheckpoint } from "./rows.ts";
import { inline, isBrief, place, requireStorable } from "./store-value.ts";
import type { ThreadState } from "./thread.ts";
import type { PutChannel, PutRequest, Version } from "./types.ts";
import { branchesOf } from "./walk.ts";

/** Stores a checkpoint. Leaves writes alone: they may have come before it. */
export async function putCheckpoint(tx: Writing, state: ThreadState, request: PutRequest): Promise<void> {
  const { namespace, id, parent: parentId } = request;
  const [existing, parent] = await Promise.all([
    state.checkpoint(tx, namespace, id),
    parentId === undefined ? undefined : state.checkpoint(tx, namespace, parentId),
  ]);
  const { branch, depth } = await placeOnBranch(tx, state, request, existing, parent);
  if (existing === undefined) await settleEarlyWrites(tx, state, namespace, id, branch);
  const step: Step = { tx, state, request, branch, existing, parent, branches: undefined, logs: new Set() };
  const channels: ChannelRow[] = [];
  for (const channel of request.channels) {
    const ref = await valueOf(step, channel);
    const { name, version } = channel;
    channels.push({ name, ...(version === undefined ? {} : { version }), ...(ref === undefined ? {} : { ref }) });
  }
  const row: CheckpointRow = {
    ...(parentId === undefined ? {} : { parent: parentId }),
    branch,
    depth,
    head: request.head,
    channels,
  };
  const key: CheckpointKey = [state.key, namespace, id];
  const record = packCheckpoint(key, row, parent?.branch === branch && parent.depth === depth - 1 ? parent : undefined);
  put(tx, "checkpoints", record, key);
  const thread = state.row;
  thread.bytes += record.body.length;
  for (const log of step.logs) thread.bytes += await log.flush(tx);
  if (existing === undefined) thread.checkpoints++;
  state.placed(namespace, id, row, existing);
  if (existing !== undefined) await renewNext(tx, state, namespace, row);
}

/** The checkpoint after one that was put again names what that one stores. */
async function renewNext(tx: Writing, state: ThreadState, namespace: Namespace, row: CheckpointRow): Promise<void> {
  const next = await tx
    .objectStore("checkpoints")
    .index("lineage")
    .getKey(ranges.lineage(state.key, namespace, row.branch, row.depth + 1, row.depth + 1));
  const after = next && (await state.checkpoint(tx, namespace, next[2]));
  if (after !== undefined) put(tx, "checkpoints", packCheckpoint(next!, after, row), next!);
}

/**
 * A checkpoint whose parent is the last one of its branch continues that branch; any other starts a branch. So on a branch
 * each one's parent is the one before it, and when that is no longer true (a parent put again elsewhere, or deleted) there is
 * a gap in the depths. A checkpoint put again under the same parent stays where it is.
 */
async function placeOnBranch(
  tx: Writing,
  state: ThreadState,
  { namespace, id, parent: parentId }: PutRequest,
  existing: CheckpointRow | undefined,
  parent: CheckpointRow | undefined,
): Promise<{ branch: Branch; depth: number }> {
  if (existing !== undefined && existing.parent === parentId) return existing;
  if (parent !== undefined && parentId !== id && (await state.tip(tx, namespace, parent.branch)) === parent.depth) {
    return { branch: parent.branch, depth: parent.depth + 1 };
  }
  return { branch: state.row.branches++ as Branch, depth: 0 };
}

interface Step {
  readonly tx: Writing;
  readonly state: ThreadState;
  readonly request: PutRequest;
  readonly branch: Branch;
  readonly existing: CheckpointRow | undefined;
  readonly parent: CheckpointRow | undefined;
  branches: Promise<Branch[]> | undefined;
  readonly logs: Set<Log>;
}

/**
 * What a checkpoint holds for a channel. A value belongs to a (channel, version): one that the step did not write is the
 * one stored at that version before, in the parent or else anywhere in the namespace, or there is none.
 */
async function valueOf(step: Step, channel: PutChannel): Promise<Ref | undefined> {
  const before = sameVersion(step.parent, channel);
  if (channel.fresh) return store(step, channel, (before ?? named(step.parent, channel))?.ref);
  if (before !== undefined) return shared(step, channel, before.ref);
  const again = sameVersion(step.existing, channel);
  if (again?.ref !== undefined) return again.ref;
  if (isUnique(channel.version)) return (await storedAtVersion(step, channel)).at(0);
  // The versions of other savers repeat on sibling branches: then only a value that came along can tell.
  return channel.value !== undefined && (await storedAtVersion(step, channel)).length > 0 ? store(step, channel, undefined) : undefined;
}

/** A value that a second checkpoint holds goes to a log, where all that hold it from now on find it. */
async function shared(step: Step, channel: PutChannel, ref: Ref | undefined): Promise<Ref | undefined> {
  return ref === undefined || "pieces" in ref ? ref : (inline(ref) ?? place(ref, await logsOnPath(step, channel.name), []));
}

/** The versions that our saver makes have a fraction, and no other branch has them. */
function isUnique(version: Version | undefined): boolean {
  return typeof version === "number" && !Number.isInteger(version);
}

function named(row: CheckpointRow | undefined, { name }: PutChannel): ChannelRow | undefined {
  return row?.channels.find((channel) => channel.name === name);
}

function sameVersion(row: CheckpointRow | undefined, channel: PutChannel): ChannelRow | undefined {
  const entry = named(row, channel);
  return entry?.version !== undefined && entry.version === channel.version ? entry : undefined;
}

/** Any checkpoint of the namespace may have stored it. Whoever copies one has mostly just read it; otherwise all are looked at. */
async function storedAtVersion({ tx, state, request }: Step, channel: PutChannel): Promise<Ref[]> {
  const inRows = (rows: readonly CheckpointRow[]) => rows.flatMap((row) => sameVersion(row, channel)?.ref ?? []);
  const near = inRows(state.remembered(request.namespace));
  if (near.length > 0) return near;
  const range = ranges.checkpoints(state.key, request.namespace);
  const [keys, records] = await Promise.all([tx.objectStore("checkpoints").getAllKeys(range), tx.objectStore("checkpoints").getAll(range)]);
  return inRows(keys.map((key, index) => unpackCheckpoint(key, records[index]!)));
}

async function store(step: Step, { name, value }: PutChannel, earlier: Ref | undefined): Promise<Ref | undefined> {
  if (value === undefined) return undefined;
  requireStorable(value, name);
  const small = inline(value);
  if (small !== undefined) return small;
  // One that replaces a value in a log may be that value still.
  if (isBrief(value) && !(earlier !== undefined && "pieces" in earlier)) return value;
  const logs = await logsOnPath(step, name);
  return place(value, logs, earlier !== undefined && "pieces" in earlier ? earlier.pieces : []);
}

/** The logs of a channel that hold what the path has stored, with all that can be read of them: the branch's own first. */
async function logsOnPath(step: Step, channel: PutChannel["name"]): Promise<[Log, ...Log[]]> {
  step.branches ??= branchesOfStep(step);
  const [own, ...others] = await Promise.all(
    (await step.branches).map(async (branch) => {
      const log = await step.state.openLog(step.tx, step.request.namespace, channel, branch);
      log.reserve(Math.max(0, ...[step.parent, step.existing].map((row) => endIn(row, channel, branch))));
      await log.fetch(step.tx, 0, log.length);
      return log;
    }),
  );
  step.logs.add(own!);
  return [own!, ...others];
}

/** Up to where a checkpoint's value of a channel uses a log. */
function endIn(row: CheckpointRow | undefined, channel: PutChannel["name"], log: Branch): number {
  const ref = row && refOf(row, channel);
  if (ref === undefined || "bytes" in ref) return 0;
  return ref.pieces.reduce((end, piece) => (piece.log === log ? Math.max(end, piece.start + piece.length) : end), 0);
}

async function branchesOfStep({ tx, state, request, branch, parent }: Step): Promise<Branch[]> {
  const onPath = parent === undefined ? [] : await branchesOf(tx, state, request.namespace, parent.branch);
  return [...new Set([branch, ...onPath])];
}
