import { type CheckpointId, idOf, keys, pages, ranges, type Reading, type ThreadKey } from "../idb/index.ts";
import { unpackCheckpoint } from "./checkpoint-row.ts";
import type { Contents } from "./verify-content.ts";
import type { Report } from "./verify-report.ts";
import { unpackBlock } from "./writes-row.ts";

/** Rows of pasts are up to 60 kB. */
const PAGE = 64;

/** Looks at what checkpoints keep of ancestors that were removed: what it refers to, and whether a checkpoint names it; gives the bytes of it. */
export async function verifyPasts(tx: Reading, thread: ThreadKey, contents: Contents, report: Report): Promise<number> {
  let bytes = 0;
  for await (const page of pages(tx, "pasts", ranges.thread(thread), PAGE)) {
    for (const { key, value } of page) {
      const [namespace, id, part] = [key[1], idOf<CheckpointId>(key[2]), key[3]];
      const where = { store: "pasts", key: [thread, namespace, id, part] };
      const block = report.readable(where, () => unpackBlock([thread, namespace, id, part], value, "pasts"));
      bytes += block === undefined ? 0 : value.length;
      const record = await tx.objectStore("checkpoints").get(keys.checkpoint(thread, namespace, id));
      if (record === undefined || partsOf(() => unpackCheckpoint([thread, namespace, id], record).past?.rows ?? 0) <= part) {
        report.problem("unreachable", where, "Its checkpoint is not there, or says nothing of it: nobody looks here.");
      }
      for (const { channel, ref } of [...(block?.values() ?? [])].flatMap((byTask) => [...byTask.values()].flat())) {
        contents.require(report, where, namespace, channel, ref);
      }
    }
  }
  return bytes;
}

/** A checkpoint that cannot be read is reported with the others. */
function partsOf(read: () => number): number {
  try {
    return read();
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
