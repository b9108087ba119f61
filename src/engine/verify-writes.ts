import { type CheckpointId, idOf, keys, type Namespace, pages, ranges, type Reading, type TaskId, type ThreadKey, type WritesKey } from "../idb/index.ts";
import { unpackCheckpoint } from "./checkpoint-row.ts";
import { blockOf } from "./journal.ts";
import type { Contents } from "./verify-content.ts";
import type { Report } from "./verify-report.ts";
import { unpackBlock, unpackWrites } from "./writes-row.ts";

const ROWS = 256;
/** Blocks are up to 60 kB. */
const BLOCKS = 64;

/** Looks at what tasks wrote, and gives the bytes of it: in rows of their own and in blocks: what they refer to, and whether a reader finds them. */
export async function verifyWrites(tx: Reading, thread: ThreadKey, contents: Contents, report: Report): Promise<number> {
  return (await verifyRows(tx, thread, contents, report)) + (await verifyBlocks(tx, thread, contents, report));
}

async function verifyRows(tx: Reading, thread: ThreadKey, contents: Contents, report: Report): Promise<number> {
  let bytes = 0;
  for await (const page of pages(tx, "writes", ranges.thread(thread), ROWS)) {
    const checkpoints = new Map<string, WritesKey>();
    for (const { key, value } of page) {
      const [namespace, id, task] = [key[1], idOf<CheckpointId>(key[2]), idOf<TaskId>(key[3])];
      checkpoints.set(JSON.stringify([namespace, id]), key);
      const where = { store: "writes", key: [thread, namespace, id, task] };
      const writes = report.readable(where, () => unpackWrites([thread, namespace, id, task], value));
      if (writes === undefined) continue;
      bytes += value.length;
      report.checked.writes += writes.length;
      for (const { channel, ref } of writes) contents.require(report, where, namespace, channel, ref);
    }
    await Promise.all([...checkpoints.values()].map((key) => verifyUnpacked(tx, thread, key[1], idOf<CheckpointId>(key[2]), report)));
  }
  return bytes;
}

/** Writes in rows of their own are found if their checkpoint is not in a block. */
async function verifyUnpacked(tx: Reading, thread: ThreadKey, namespace: Namespace, id: CheckpointId, report: Report): Promise<void> {
  const where = { store: "writes", key: [thread, namespace, id] };
  const record = await tx.objectStore("checkpoints").get(keys.checkpoint(thread, namespace, id));
  if (record === undefined) {
    report.note("missing-checkpoint", where, "Their checkpoint is not there: they wait for it.");
    return;
  }
  let place: { readonly branch: Parameters<typeof ranges.blocks>[2]; readonly depth: number };
  try {
    place = unpackCheckpoint([thread, namespace, id], record);
  } catch {
    return; // Reported with the checkpoints.
  }
  const block = blockOf(place.depth);
  if ((await tx.objectStore("blocks").getKey(ranges.blocks(thread, namespace, place.branch, block, block))) !== undefined) {
    report.problem("unreachable", where, `The writes of their checkpoint are in block ${block} of branch ${place.branch}, so nobody looks here.`);
  }
}

async function verifyBlocks(tx: Reading, thread: ThreadKey, contents: Contents, report: Report): Promise<number> {
  let bytes = 0;
  for await (const page of pages(tx, "blocks", ranges.thread(thread), BLOCKS)) {
    for (const { key, value } of page) {
      const [, namespace, branch, number] = key;
      const where = { store: "blocks", key };
      const block = report.readable(where, () => unpackBlock(key, value));
      if (block === undefined) continue;
      bytes += value.length;
      if ([...block.keys()].some((depth) => blockOf(depth) !== number)) {
        report.problem("wrong-place", where, "It holds writes of depths of another block.");
      }
      const lineage = tx.objectStore("checkpoints").index("lineage");
      const there = await Promise.all([...block.keys()].map((depth) => lineage.getKey(ranges.lineage(thread, namespace, branch, depth, depth))));
      const lost = [...block.keys()].filter((_, index) => there[index] === undefined);
      if (lost.length > 0) report.problem("unreachable", where, `Of branch ${branch} there are no checkpoints at the depths ${lost.join(", ")}.`);
      for (const writes of [...block.values()].flatMap((byTask) => [...byTask.values()])) {
        report.checked.writes += writes.length;
        for (const { channel, ref } of writes) contents.require(report, where, namespace, channel, ref);
      }
    }
  }
  return bytes;
}
