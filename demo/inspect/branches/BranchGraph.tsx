import { nameOf, numberOf } from "../time/wording.ts";
import type { Node, Tree } from "./tree.ts";

const LANE = 34;
const ROW = 26;
const MARGIN = 16;

interface Props {
  readonly tree: Tree;
  /** The checkpoints on the path that is shown. */
  readonly path: ReadonlySet<string>;
  readonly shown: string;
  readonly visit: (node: Node) => void;
}

const x = ({ lane }: Node): number => MARGIN + lane * LANE;
const y = ({ row }: Node): number => MARGIN + row * ROW;

function curve(from: Node, to: Node): string {
  const middle = y(from) + ROW / 2;
  return from.lane === to.lane
    ? `M ${String(x(from))} ${String(y(from))} V ${String(y(to))}`
    : `M ${String(x(from))} ${String(y(from))} C ${String(x(from))} ${String(middle)}, ${String(x(to))} ${String(middle)}, ${String(x(to))} ${String(y(from) + ROW)} V ${String(y(to))}`;
}

/** The tree as a picture. The list beside it says and does the same for those who do not see or point. */
export function BranchGraph({ tree, path, shown, visit }: Props) {
  const numberOfTip = new Map(tree.branches.map(({ tip }, index) => [tip, index + 1]));
  return (
    <svg
      className="branch-graph"
      role="img"
      aria-label={`${String(tree.branches.length)} branches`}
      width={2 * MARGIN + Math.max(0, tree.lanes - 1) * LANE + 8}
      height={2 * MARGIN + Math.max(0, tree.rows - 1) * ROW + 6}
    >
      {tree.nodes.map((node) => {
        if (node.parent === undefined) return null;
        const isOnPath = path.has(node.step.id);
        return (
          <g key={node.step.id} className="branch-link" data-path={isOnPath}>
            <path d={curve(node.parent, node)} data-hidden={node.hidden > 0} />
          </g>
        );
      })}
      {tree.nodes.map((node) => {
        const tip = numberOfTip.get(node.step.id);
        return (
          <g
            key={node.step.id}
            className="branch-node"
            data-path={path.has(node.step.id)}
            data-shown={node.step.id === shown}
            transform={`translate(${String(x(node))} ${String(y(node))})`}
            onClick={() => visit(node)}
          >
            <title>{`Step ${numberOf(node.step)}, ${nameOf(node.step)}${node.hidden > 0 ? `, ${String(node.hidden)} steps after the one above` : ""}`}</title>
            <circle r={ROW / 2} className="branch-touch" />
            <circle r={tip === undefined ? 4.5 : 9} />
            {tip !== undefined && <text dy="0.34em">{tip}</text>}
          </g>
        );
      })}
    </svg>
  );
}
