import { pages, ranges, type Reading, THREAD_STORES, type ThreadId, type ThreadKey, type ThreadRecord } from "../idb/index.ts";
import { type Revision, threadKeyOf, unpackRevision, unpackThread } from "./thread-row.ts";
import { unfinishedImports } from "./unfinished-imports.ts";
import type { VerifyReply, VerifyRequest } from "./types.ts";
import { verifyCheckpoints } from "./verify-checkpoints.ts";
import { verifyContent } from "./verify-content.ts";
import { verifyPasts } from "./verify-pasts.ts";
import { Report } from "./verify-report.ts";
import { verifyWrites } from "./verify-writes.ts";

const PAGE = 256;

const SENTENCES = { row: "this checkpoint", written: "all that was written on this checkpoint", values: "every value of this checkpoint", past: "what came before this checkpoint" };

interface Stray {
  readonly store: "revisions" | (typeof THREAD_STORES)[number];
  readonly thread: ThreadKey;
}

/**
 * Reads a database row by row, and believes nothing: not what this realm remembers, nor what one row says of another. One
 * thread in one transaction, so that what is compared is of one moment; in pages, so that a thread need not fit in memory.
 */
export async function verify(tx: Reading, { after }: VerifyRequest): Promise<VerifyReply> {
  const [thread] = await tx.objectStore("threads").getAllKeys(ranges.threadsAfter(after), 1);
  if (thread === undefined) {
    const { checked, problems, notes } = await verifyStrays(tx);
    return { checked, problems, notes };
  }
  const report = new Report(thread);
  await verifyThread(tx, thread, report);
  const { checked, problems, notes } = report;
  return { checked, problems, notes, next: thread };
}

export async function verifyThread(tx: Reading, thread: ThreadId, report: Report): Promise<void> {
  report.checked.threads++;
  const record = (await tx.objectStore("threads").get(thread)) as ThreadRecord;
  const where = { store: "threads", key: thread };
  const key = report.readable(where, () => threadKeyOf(thread, record));
  if (key === undefined) return;
  const row = report.readable(where, () => unpackThread(thread, record));
  for (const { namespace, id, part } of row?.lost ?? []) {
    report.note("lost", { store: "checkpoints", key: [key, namespace, id] }, `A repair could not save ${SENTENCES[part]}.`);
  }
  const sealed = await tx.objectStore("revisions").get(key);
  const revision = report.readable({ store: "revisions", key }, () => unpackRevision(key, sealed));
  const contents = await verifyContent(tx, key, revision?.removals ?? 1, report);
  const found = await verifyCheckpoints(tx, key, row?.lost ?? [], contents, report);
  const written = await verifyWrites(tx, key, contents, report);
  const kept = await verifyPasts(tx, key, contents, report);
  if (revision !== undefined) verifyCounts(key, revision, { ...found, bytes: contents.bytes + found.bytes + written + kept }, report);
}

function verifyCounts(key: ThreadKey, revision: Revision, { count, branches, bytes }: { count: number; branches: number; bytes: number }, report: Report): void {
  const where = { store: "revisions", key };
  if (revision.checkpoints !== count) {
    report.problem("wrong-count", where, `It says ${revision.checkpoints} checkpoints, and there are ${count}.`);
  }
  if (revision.bytes < bytes) {
    report.problem("wrong-count", where, `It says ${revision.bytes} bytes, and the rows take ${bytes}.`);
  }
  if (revision.branches < branches) {
    report.problem("wrong-count", where, `It says ${revision.branches} branches, and there is one with the number ${branches - 1}.`);
  }
}

/** Every row of another store begins with what its thread is called. */
export async function verifyStrays(tx: Reading): Promise<VerifyReply & { readonly strays: readonly Stray[] }> {
  const strays: Stray[] = [];
  const report = new Report(undefined);
  const known = new Set<ThreadKey>();
  for await (const page of pages(tx, "threads", ranges.threadsAfter(undefined), PAGE)) for (const { value } of page) known.add(value.key);
  const stray = (store: Stray["store"], thread: ThreadKey) => {
    if (known.has(thread)) return;
    strays.push({ store, thread });
    report.problem("stray", { store, key: [thread] }, "No thread is called so: these rows are left of a deleted one, or of one whose own row is damaged.");
  };
  for (const key of (await unfinishedImports(tx)).keys()) {
    if (known.has(key)) continue;
    report.note("unfinished-import", { store: "revisions", key }, "These rows are of an import that is under way, or was cut short: then the next one removes them.");
    known.add(key);
  }
  for (const thread of await tx.objectStore("revisions").getAllKeys()) stray("revisions", thread);
  for (const store of THREAD_STORES) {
    let thread: ThreadKey | undefined;
    while ((thread = (await tx.objectStore(store).getKey(ranges.afterThread(thread)))?.[0]) !== undefined) stray(store, thread);
  }
  const { checked, problems, notes } = report;
  return { checked, problems, notes, strays };
}
