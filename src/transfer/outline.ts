import type { ChannelVersions, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import type { Place, Side } from "./side.ts";

/** What is remembered of a checkpoint while a thread is transferred: where it is, and no values. */
export interface Outline extends Place {
  readonly parent: string | undefined;
  readonly versions: Readonly<ChannelVersions>;
  /** The channels that it has values of. */
  readonly stored: ReadonlySet<string>;
}

export type Outlines = Map<string, Map<string, Outline>>;

/** The checkpoints of one side, by namespace and id. */
export async function outlinesOf(side: Side, wanted: (namespace: string) => boolean): Promise<Outlines> {
  const outlines: Outlines = new Map();
  for await (const tuple of side.list()) {
    const outline = outlineOf(tuple);
    if (!wanted(outline.namespace)) continue;
    const inNamespace = outlines.get(outline.namespace) ?? new Map<string, Outline>();
    outlines.set(outline.namespace, inNamespace.set(outline.id, outline));
  }
  return outlines;
}

export function outlineOf({ config, parentConfig, checkpoint }: CheckpointTuple): Outline {
  return {
    namespace: textOf(config.configurable?.["checkpoint_ns"]) ?? "",
    id: checkpoint.id,
    parent: textOf(parentConfig?.configurable?.["checkpoint_id"]),
    versions: checkpoint.channel_versions,
    stored: new Set(Object.keys(checkpoint.channel_values)),
  };
}

/**
 * Parents before their children, so that whatever is interrupted leaves whole histories; and subgraphs before the graph that
 * called them, so that no step refers to one that is not there.
 */
export function* parentsFirst(outlines: Outlines): Generator<Outline> {
  for (const [, inNamespace] of [...outlines].sort(([a], [b]) => b.length - a.length)) {
    const left = new Map([...inNamespace].sort(([a], [b]) => (a < b ? -1 : 1)));
    for (const first of left.values()) {
      const path: Outline[] = [];
      for (let at: Outline | undefined = first; at !== undefined && left.delete(at.id); at = left.get(at.parent ?? "")) path.push(at);
      yield* path.reverse();
    }
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
