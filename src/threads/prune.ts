import type { StoredThread } from "../engine/index.ts";
import { CheckpointError, InvalidConfigError } from "../errors/index.ts";
import type { ThreadId } from "../idb/index.ts";
import { type Going, goingBy, goingButLatest, goingWhere } from "./going.ts";
import { threadId } from "./ids.ts";
import { type PrunedThread, type PruneOptions, type PruneReport, requirePolicy, type RetentionPolicy } from "./retention.ts";
import type { Storage } from "./storage.ts";
import { survey } from "./survey.ts";

/** Checkpoints to one transaction: it reads the rows of a whole namespace, and others wait for it. */
const AT_ONCE = 512;

export interface Pace {
  /** Does the work on a thread when there is time for it, or leaves it out. */
  readonly next?: (thread: ThreadId, work: () => Promise<void>) => Promise<void>;
}

/** Applies a policy to all threads, or to some. */
export async function prune(storage: Storage, options: PruneOptions, pace: Pace = {}): Promise<PruneReport> {
  requirePolicy(options);
  if (options.threads !== undefined && options.maxBytes !== undefined) {
    throw new InvalidConfigError({ field: "maxBytes", hint: "It is for all threads together: leave `threads` out." });
  }
  await storage.options.turns.ended();
  const pruned = new Pruned();
  const named = options.threads?.map(threadId);
  for (const { id, pinned, isDamaged, checkpoints } of await threadsOf(storage, named)) {
    options.signal?.throwIfAborted();
    if ((pinned && named === undefined) || mayKeepAll(options, checkpoints)) continue;
    const work = () => pruned.take(id, isDamaged, async () => removeGoing(storage, id, goingBy(options, await survey(storage, id), Date.now()), options));
    await (pace.next?.(id, work) ?? work());
  }
  if (options.maxBytes !== undefined) await toBudget(storage, options, options.maxBytes, pruned, pace);
  return pruned.report();
}

/** Removes the checkpoints of runs, which their metadata names, from all threads. */
export async function pruneRuns(storage: Storage, runs: ReadonlySet<unknown>): Promise<void> {
  if (runs.size === 0) return;
  await storage.options.turns.ended();
  const threads = await threadsOf(storage, undefined);
  await ofEach(threads.map(({ id }) => id), async (id) => {
    await removeGoing(storage, id, goingWhere(await survey(storage, id), ({ metadata }) => runs.has(metadata["run_id"])), {});
  });
}

/** Leaves of each namespace of a thread the newest checkpoint. */
export async function pruneToLatest(storage: Storage, threads: readonly string[]): Promise<void> {
  const ids = new Set(threads.map(threadId));
  await storage.options.turns.ended();
  await ofEach(ids, async (id) => {
    await removeGoing(storage, id, goingButLatest(await survey(storage, id)), {});
  });
}

/** One that fails does not keep the others from being done; then the first failure is thrown. */
async function ofEach(threads: Iterable<ThreadId>, work: (thread: ThreadId) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const id of threads) await work(id).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** What went so far. */
class Pruned {
  readonly #threads = new Map<ThreadId, PrunedThread>();
  readonly #damaged: ThreadId[] = [];

  /** Damage of one thread does not keep the others from being pruned. */
  async take(thread: ThreadId, isDamaged: boolean, work: () => Promise<Amount>): Promise<void> {
    if (isDamaged) {
      this.#damaged.push(thread);
      return;
    }
    try {
      this.add(thread, await work(), false);
    } catch (error) {
      if (!CheckpointError.is(error) || error.code !== "damaged") throw error;
      this.#damaged.push(thread);
    }
  }

  add(thread: ThreadId, { checkpoints, bytes }: Amount, deleted: boolean): void {
    if (checkpoints === 0 && bytes === 0 && !deleted) return;
    const before = this.of(thread);
    this.#threads.set(thread, { id: thread, checkpoints: before.checkpoints + checkpoints, bytes: before.bytes + bytes, deleted });
  }

  of(thread: ThreadId): Amount {
    return this.#threads.get(thread) ?? { checkpoints: 0, bytes: 0 };
  }

  report(): PruneReport {
    const threads = [...this.#threads.values()];
    return { threads, bytes: threads.reduce((sum, { bytes }) => sum + bytes, 0), damaged: this.#damaged };
  }
}

interface Amount {
  readonly checkpoints: number;
  readonly bytes: number;
}

async function threadsOf({ engine }: Storage, ids: readonly ThreadId[] | undefined): Promise<readonly StoredThread[]> {
  if (ids === undefined) return engine.threads({ limit: Number.MAX_SAFE_INTEGER });
  return (await Promise.all([...new Set(ids)].map((id) => engine.threads({ id, limit: 1 })))).flat();
}

/** No namespace has more checkpoints than its thread. */
function mayKeepAll({ keepLast, keepFor }: RetentionPolicy, checkpoints: number): boolean {
  return (keepLast === undefined && keepFor === undefined) || checkpoints <= (keepLast ?? 1);
}

async function removeGoing(storage: Storage, thread: ThreadId, going: Going, { dryRun = false, signal }: PruneOptions): Promise<Amount> {
  const { durability, turns } = storage.options;
  let [checkpoints, bytes] = [0, 0];
  for (const [namespace, ids] of going) {
    const size = dryRun ? ids.length : AT_ONCE;
    for (let from = 0; from < ids.length; from += size) {
      signal?.throwIfAborted();
      // Newest first: what goes later is never the child of what went, so it needs no past of its own.
      const request = { thread, namespace, remove: ids.slice(from, from + size), reclaim: from + size >= ids.length, durability };
      const removed = await turns.take(undefined, () => storage.engine.remove({ ...request, change: dryRun ? "nothing" : "rows" }));
      checkpoints += removed.checkpoints;
      bytes += removed.bytes;
    }
  }
  return { checkpoints, bytes };
}

/** Deletes threads, the ones that were written to longest ago first, until the others take no more than they may. */
async function toBudget(storage: Storage, { dryRun = false, signal }: PruneOptions, maxBytes: number, pruned: Pruned, pace: Pace): Promise<void> {
  const { durability, turns } = storage.options;
  const threads = await threadsOf(storage, undefined);
  const left = (thread: StoredThread) => thread.bytes - (dryRun ? pruned.of(thread.id).bytes : 0);
  let total = threads.reduce((sum, thread) => sum + left(thread), 0);
  for (const thread of threads.slice(1).reverse()) {
    if (total <= maxBytes) return;
    signal?.throwIfAborted();
    if (thread.pinned || thread.isDamaged) continue;
    const { id, updated, checkpoints } = thread;
    const work = async () => {
      const isDeleted = dryRun || (await turns.take(undefined, () => storage.engine.deleteThread({ thread: id, unusedSince: updated, durability })));
      if (!isDeleted) return;
      total -= left(thread);
      pruned.add(id, { checkpoints: checkpoints - (dryRun ? pruned.of(id).checkpoints : 0), bytes: left(thread) }, true);
    };
    await (pace.next?.(id, work) ?? work());
  }
}
