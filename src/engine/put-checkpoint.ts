import { type Branch, type CheckpointKey, type Namespace, put, ranges, type Writing } from "../idb/index.ts";
import type { Log } from "./log.ts";
import { settleEarlyWrites } from "./put-writes.ts";
import { type ChannelRow, type CheckpointRow, packCheckpoint, type Ref } from "./rows.ts";
import { branchesOf, inline, place } from "./store-value.ts";
import type { ThreadState } from "./thread.ts";
import type { PutChannel, PutRequest } from "./types.ts";

/** Stores a checkpoint. Leaves writes alone: they may have come before it. */
export async function putCheckpoint(tx: Writing, state: ThreadState, request: PutRequest): Promise<void> {
  const { namespace, id, parent: parentId } = request;
  const [existing, parent] = await Promise.all([
    state.checkpoint(tx, namespace, id),
    parentId === undefined ? undefined : state.checkpoint(tx, namespace, parentId),
  ]);
  const { branch, depth } = await placeOnBranch(tx, state, request, existing, parent);
  await settleEarlyWrites(tx, state, namespace, id, branch);
  const step: Step = { tx, state, request, branch, existing, parent, branches: undefined, logs: new Set() };
  const channels: ChannelRow[] = [];
  for (const channel of request.channels) {
    const ref = await refOf(step, channel);
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
 * A checkpoint whose parent is the last one of its branch continues that branch; any other starts a branch. So on a branch each one's parent is the one before it, and when that is no longer true (a parent put again
 * elsewhere, or deleted) there is a gap in the depths. A checkpoint put again under the same parent stays where it is.
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
async function refOf(step: Step, channel: PutChannel): Promise<Ref | undefined> {
  const before = sameVersion(step.parent, channel);
  if (channel.fresh) return store(step, channel, (before ?? named(step.parent, channel))?.ref);
  const again = sameVersion(step.existing, channel);
  if (again?.ref !== undefined) return again.ref;
  if (before !== undefined) return before.ref;
  const candidates = await storedAtVersion(step, channel);
  if (candidates.length === 0) return undefined;
  // Versions of other savers are integers that repeat on sibling branches: then only the value itself can tell.
  if (channel.value !== undefined) return store(step, channel, candidates[0]);
  return candidates.every((ref) => JSON.stringify(ref) === JSON.stringify(candidates[0])) ? candidates[0] : undefined;
}

function named(row: CheckpointRow | undefined, { name }: PutChannel): ChannelRow | undefined {
  return row?.channels.find((channel) => channel.name === name);
}

function sameVersion(row: CheckpointRow | undefined, channel: PutChannel): ChannelRow | undefined {
  const entry = named(row, channel);
  return entry?.version !== undefined && entry.version === channel.version ? entry : undefined;
}

/** Any checkpoint of the namespace may have stored it. Mostly it was just read, by whoever copies it; else all are looked at. */
async function storedAtVersion({ tx, state, request }: Step, channel: PutChannel): Promise<Ref[]> {
  const inRows = (rows: readonly (CheckpointRow | undefined)[]) => rows.flatMap((row) => sameVersion(row, channel)?.ref ?? []);
  if (channel.version === undefined) return [];
  const near = inRows(state.remembered(request.namespace));
  if (near.length > 0) return near;
  const keys = await tx.objectStore("checkpoints").getAllKeys(ranges.checkpoints(state.key, request.namespace));
  return inRows(await Promise.all(keys.map(([, namespace, id]) => state.checkpoint(tx, namespace, id))));
}

async function store(step: Step, { name, value }: PutChannel, earlier: Ref | undefined): Promise<Ref | undefined> {
  if (value === undefined) return undefined;
  const small = inline(value);
  if (small !== undefined) return small;
  const logs = await logsOnPath(step, step.request.namespace, name);
  step.logs.add(logs[0]);
  return place(value, name, logs, earlier !== undefined && "pieces" in earlier ? earlier.pieces : []);
}

/** The logs of a channel that hold what the path has stored, all of them read: the branch's own first. */
async function logsOnPath(step: Step, namespace: Namespace, channel: PutChannel["name"]): Promise<[Log, ...Log[]]> {
  step.branches ??= branchesOfStep(step);
  const [own, ...others] = await Promise.all(
    (await step.branches).map(async (branch) => {
      const log = await step.state.openLog(step.tx, namespace, channel, branch);
      await log.load(step.tx, 0, log.length);
      return log;
    }),
  );
  return [own!, ...others];
}

async function branchesOfStep({ tx, state, request, branch, parent }: Step): Promise<Branch[]> {
  const onPath = parent === undefined ? [] : await branchesOf(tx, state, request.namespace, parent.branch);
  return [...new Set([branch, ...onPath])];
}
