import type { Branch, Step } from "langgraph-checkpoint-indexeddb/threads";
import { saver } from "../../store/saver.ts";
import { readPath } from "../time/path.ts";

/** Longer trees are drawn without the steps at which nothing begins, ends or forks. */
const DRAWN_WHOLE = 40;

export interface GrownBranch extends Branch {
  /** Newest first. */
  readonly steps: readonly Step[];
}

export interface Node {
  readonly step: Step;
  readonly branch: GrownBranch;
  readonly lane: number;
  readonly row: number;
  readonly parent: Node | undefined;
  /** How many steps between the parent and this are not drawn. */
  readonly hidden: number;
}

export interface Tree {
  readonly branches: readonly GrownBranch[];
  readonly nodes: readonly Node[];
  readonly lanes: number;
  readonly rows: number;
}

export async function readBranches(threadId: string, before: readonly GrownBranch[] = []): Promise<readonly GrownBranch[]> {
  const branches = await saver.threads.thread(threadId).branches();
  const known = new Map(before.map(({ start, steps }) => [start, steps]));
  return Promise.all(branches.map(async (branch) => ({ ...branch, steps: await readPath(threadId, branch.tip, known.get(branch.start), branch.length) })));
}

/** Places the steps of branches, parents above children and each branch in a lane of its own for as long as it lasts. */
export function treeOf(branches: readonly GrownBranch[]): Tree {
  const forks = new Set(branches.flatMap(({ parent }) => parent ?? []));
  const isWhole = branches.reduce((sum, { length }) => sum + length, 0) <= DRAWN_WHOLE;
  const nodes = new Map<string, Node>();
  const lanes: { until: number }[] = [];
  for (const branch of branches) {
    let parent = branch.parent === undefined ? undefined : nodes.get(branch.parent);
    const drawn = branch.steps.toReversed();
    const kept = drawn.flatMap((step, at) => (isWhole || at === 0 || at === drawn.length - 1 || forks.has(step.id) ? [at] : []));
    const first = (parent?.row ?? -1) + 1;
    const free = lanes.findIndex(({ until }) => until < first);
    const lane = free === -1 ? lanes.push({ until: -1 }) - 1 : free;
    for (const [index, at] of kept.entries()) {
      const step = drawn[at];
      if (step === undefined) continue;
      const hidden = index === 0 ? 0 : at - (kept[index - 1] ?? at) - 1;
      const node: Node = { step, branch, lane, row: (parent?.row ?? -1) + 1, parent, hidden };
      nodes.set(step.id, node);
      parent = node;
    }
    lanes[lane] = { until: parent?.row ?? -1 };
  }
  const placed = [...nodes.values()];
  return { branches, nodes: placed, lanes: lanes.length, rows: Math.max(0, ...placed.map(({ row }) => row + 1)) };
}

/** The branches that lead to a checkpoint of `tip`'s, that one first. */
export function pathTo(tree: Tree, branch: GrownBranch): ReadonlySet<string> {
  const ids = new Set<string>();
  for (let node = tree.nodes.findLast(({ branch: { start } }) => start === branch.start); node !== undefined; node = node.parent) ids.add(node.step.id);
  return ids;
}
