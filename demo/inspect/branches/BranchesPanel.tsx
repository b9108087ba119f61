import { useCallback, useMemo, useState } from "react";
import { backToNow, inspect, useVisit } from "../inspection.ts";
import type { PanelProps } from "../Inspector.tsx";
import { counted } from "../numbers.ts";
import { Empty, Failed, Panel } from "../Panel.tsx";
import { summaryOf } from "../time/wording.ts";
import { useStored } from "../useStored.ts";
import { BranchGraph } from "./BranchGraph.tsx";
import { CompareBranches } from "./CompareBranches.tsx";
import { pathTo, readBranches, treeOf, type GrownBranch, type Tree } from "./tree.ts";

const SAYS = "Going on from an earlier step makes a branch. All of them stay, and content they share is stored once.";

export default function BranchesPanel({ threadId }: PanelProps) {
  return <Panel says={SAYS}>{threadId === undefined ? <Empty>Send a message, and the tree of its thread will be drawn here.</Empty> : <Branches threadId={threadId} />}</Panel>;
}

function Branches({ threadId }: { readonly threadId: string }) {
  const read = useCallback((before: readonly GrownBranch[] | undefined) => readBranches(threadId, before), [threadId]);
  const { value: branches, problem, again } = useStored(threadId, read);
  const tree = useMemo(() => branches && treeOf(branches), [branches]);
  if (problem !== undefined) return <Failed problem={problem} again={again} />;
  if (tree === undefined) return null;
  if (tree.branches.length === 0) return <Empty>Nothing is stored of this thread yet.</Empty>;
  return <Grown threadId={threadId} tree={tree} />;
}

function Grown({ threadId, tree }: { readonly threadId: string; readonly tree: Tree }) {
  const visit = useVisit(threadId);
  const [compared, setCompared] = useState<string>();
  const newest = tree.branches.find((branch) => branch.newest);
  const shown = tree.branches.find(({ tip }) => tip === visit?.tip) ?? newest;
  const path = useMemo(() => (shown === undefined ? new Set<string>() : pathTo(tree, shown)), [tree, shown]);
  if (newest === undefined || shown === undefined) return null;
  const other = tree.branches.find(({ tip }) => tip === compared && tip !== shown.tip);

  const goTo = (branch: GrownBranch, checkpoint: string) => {
    if (checkpoint === newest.tip) backToNow();
    else inspect({ visit: { threadId, checkpoint, ...(branch.newest ? {} : { tip: branch.tip }) } });
  };

  return (
    <>
      <div className="branches">
        <BranchGraph tree={tree} path={path} shown={visit?.checkpoint ?? newest.tip} visit={(node) => goTo(node.branch, node.step.id)} />
        <ol className="branch-list" aria-label="Branches">
          {tree.branches.map((branch, index) => (
            <li key={branch.start}>
              <button type="button" className="branch" aria-current={branch === shown} onClick={() => goTo(branch, branch.tip)}>
                <span className="branch-number">{index + 1}</span>
                <span className="branch-text">
                  <strong>{lastWords(branch)}</strong>
                  <small>
                    {counted(branch.length, "step")}
                    {branch.newest && " · goes on now"}
                  </small>
                </span>
              </button>
              {branch !== shown && (
                <button type="button" className="link branch-compare" aria-pressed={branch === other} onClick={() => setCompared(branch === other ? undefined : branch.tip)}>
                  Compare<span className="visually-hidden"> branch {index + 1} with branch {tree.branches.indexOf(shown) + 1}</span>
                </button>
              )}
            </li>
          ))}
        </ol>
      </div>
      {tree.branches.length === 1 && <Empty>One branch so far. Open an earlier step under “Time” and continue from there: the other way is drawn beside it.</Empty>}
      {other !== undefined && <CompareBranches threadId={threadId} tips={[shown.tip, other.tip]} names={[tree.branches.indexOf(shown) + 1, tree.branches.indexOf(other) + 1]} />}
    </>
  );
}

function lastWords({ steps }: GrownBranch): string {
  const said = steps.find((step) => summaryOf(step) !== "");
  return said === undefined ? "No message of its own" : summaryOf(said);
}
