import { type Branch, type CheckpointId, idOf, keys, type Namespace, pages, ranges, type Reading, type ThreadKey } from "../idb/index.ts";
import { channelOf, type CheckpointRow, unpackCheckpoint } from "./checkpoint-row.ts";
import { checkpointBytes } from "./memory.ts";
import { Recent } from "./recent.ts";
import type { Loss } from "./lost.ts";
import type { Contents } from "./verify-content.ts";
import type { Report } from "./verify-report.ts";
import { type Link, linkTo } from "./walk.ts";

const PAGE = 256;

/** How many branches' last checkpoints are kept at hand. */
const KEPT_BRANCHES = 512;

interface Found {
  readonly namespace: Namespace;
  readonly id: CheckpointId;
  readonly row: CheckpointRow;
}

/** Looks at the checkpoints of a thread: where they are, what they refer to, and how they follow one another. */
export async function verifyCheckpoints(tx: Reading, thread: ThreadKey, lost: readonly Loss[], contents: Contents, report: Report): Promise<{ count: number; branches: number; bytes: number }> {
  const lasts = new Recent<string, Found>(KEPT_BRANCHES, ({ row }) => checkpointBytes(row));
  let count = 0;
  let branches = 0;
  let bytes = 0;
  for await (const page of pages(tx, "checkpoints", ranges.thread(thread), PAGE)) {
    const checks: Promise<void>[] = [];
    for (const { key, value } of page) {
      count++;
      const [namespace, id] = [key[1], idOf<CheckpointId>(key[2])];
      if (lost.some((loss) => loss.part === "row" && loss.id === id && loss.namespace === namespace)) continue;
      const row = report.readable(placeOf(thread, namespace, id), () => unpackCheckpoint([thread, namespace, id], value));
      if (row === undefined) continue;
      bytes += value.body.length;
      branches = Math.max(branches, row.branch + 1);
      const found = { namespace, id, row };
      for (const { name, ref } of row.channels) if (ref !== undefined) contents.require(report, placeOf(thread, namespace, id), namespace, name, ref);
      const last = lasts.get(nameOf(namespace, row.branch));
      checks.push(verifyPlace(tx, thread, found, report), verifyLinks(tx, thread, found, last, report));
      lasts.set(nameOf(namespace, row.branch), found);
    }
    await Promise.all(checks);
  }
  report.checked.checkpoints += count;
  return { count, branches, bytes };
}

async function verifyPlace(tx: Reading, thread: ThreadKey, { namespace, id, row: { branch, depth } }: Found, report: Report): Promise<void> {
  const there = await tx.objectStore("checkpoints").index("lineage").getKey(ranges.lineage(thread, namespace, branch, depth, depth));
  if (there !== undefined && idOf(there[2]) === id) return;
  const instead = there === undefined ? "nothing" : `the checkpoint ${idOf(there[2])}`;
  report.problem("wrong-place", placeOf(thread, namespace, id), `It is at depth ${depth} of branch ${branch}, where the index finds ${instead}.`);
}

/** On a branch the parent of each checkpoint is the one before it, and it knows where before it each channel is stored. */
async function verifyLinks(tx: Reading, thread: ThreadKey, { namespace, id, row }: Found, last: Found | undefined, report: Report): Promise<void> {
  const where = placeOf(thread, namespace, id);
  const before = row.depth === 0 ? undefined : last?.row.depth === row.depth - 1 ? last : await foundAt(tx, thread, namespace, row.branch, row.depth - 1);
  if (before === "damaged") return;
  if (before !== undefined && before.id !== row.parent) {
    report.problem("wrong-link", where, `The checkpoint before it on its branch is ${before.id}, and its parent is ${row.parent}.`);
  }
  if (row.parent !== undefined && before?.id !== row.parent && (await tx.objectStore("checkpoints").getKey(keys.checkpoint(thread, namespace, row.parent))) === undefined) {
    const sentence = row.past === undefined ? "its history begins here" : "it was removed, and what the history was is kept here";
    report.note("missing-parent", where, `Its parent ${row.parent} is not there: ${sentence}.`);
  }
  if (row.past !== undefined) {
    const rows = await tx.objectStore("pasts").count(ranges.under(thread, namespace, id));
    if (rows !== row.past.rows) report.problem("missing-content", where, `Its past is in ${row.past.rows} rows, and there are ${rows}.`);
    if (before !== undefined) report.problem("wrong-link", where, `It has a past of its own, and ${before.id} is before it on its branch.`);
  }
  if (before === undefined && row.depth > 0) return; // What it knew of those before it is not asked for any more.
  for (const name of new Set([...row.channels, ...(before?.row.channels ?? [])].map((channel) => channel.name))) {
    const channel = channelOf(row, name);
    if (channel?.ref !== undefined) continue;
    const known: Link = channel ?? {};
    const right: Link = before === undefined ? {} : linkTo(before.row, name);
    if (known.nearest !== right.nearest || known.isSnapshot !== right.isSnapshot) {
      report.problem("wrong-link", where, `The channel "${name}" was last stored at depth ${right.nearest ?? -1}, and it says ${known.nearest ?? -1}.`);
    }
  }
}

async function foundAt(tx: Reading, thread: ThreadKey, namespace: Namespace, branch: Branch, depth: number): Promise<Found | "damaged" | undefined> {
  const key = await tx.objectStore("checkpoints").index("lineage").getKey(ranges.lineage(thread, namespace, branch, depth, depth));
  if (key === undefined) return undefined;
  const id = idOf<CheckpointId>(key[2]);
  const record = await tx.objectStore("checkpoints").get(key);
  try {
    return { namespace, id, row: unpackCheckpoint([thread, namespace, id], record) };
  } catch {
    return "damaged";
  }
}

function placeOf(thread: ThreadKey, namespace: Namespace, id: CheckpointId): { store: string; key: unknown } {
  return { store: "checkpoints", key: [thread, namespace, id] };
}

function nameOf(namespace: Namespace, branch: Branch): string {
  return `${branch} ${namespace}`;
}
