import { type Branch, type CheckpointId, idOf, ranges, type Reading } from "../idb/index.ts";
import type { NamespaceState } from "./namespace.ts";
import type { StoredBranch } from "./thread-types.ts";

/** The branches of a namespace, oldest first. Reads keys, and the first row of each. */
export async function readBranches(tx: Reading, space: NamespaceState): Promise<StoredBranch[]> {
  const lineage = tx.objectStore("checkpoints").index("lineage");
  const branches: StoredBranch[] = [];
  for (let branch = await firstFrom(tx, space, 0); branch !== undefined; branch = await firstFrom(tx, space, branch + 1)) {
    const range = ranges.branch(space.thread, space.name, branch as Branch);
    const [first, last, length] = await Promise.all([lineage.getKey(range), lineage.openKeyCursor(range, "prev"), lineage.count(range)]);
    const start = idOf<CheckpointId>(first![2]);
    const parent = (await space.checkpoint(tx, start))?.parent;
    branches.push({ start, tip: idOf(last!.primaryKey[2]), length, ...(parent === undefined ? {} : { parent }) });
  }
  return branches;
}

async function firstFrom(tx: Reading, space: NamespaceState, branch: number): Promise<number | undefined> {
  const range = ranges.branchesFrom(space.thread, space.name, branch as Branch);
  return (await tx.objectStore("checkpoints").index("lineage").openKeyCursor(range))?.key[2];
}
