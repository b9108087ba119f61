import type { Counts, PathRequest } from "../engine/index.ts";
import type { CheckpointId } from "../idb/index.ts";
import { InvalidConfigError, UnknownCheckpointError } from "../errors/index.ts";
import { type DecodedWrite, Decoder } from "./decoder.ts";
import type { Head } from "./head.ts";
import { describe, type ThreadState, type Where } from "./state.ts";
import type { Storage } from "./storage.ts";
import { isInternal } from "./visible.ts";

/** Steps in one answer of the engine. */
const PAGE = 50;

/** LangGraph's channel of `Send`s. */
const TASKS = "__pregel_tasks";

export interface HistoryOptions {
  /** The checkpoint to begin with. */
  readonly at?: string;
  /** How many steps at most. Default: all. */
  readonly limit?: number;
}

/** A checkpoint and what led to it. */
export interface Step extends Omit<ThreadState<unknown>, "values"> {
  /** The channels that it changed. */
  readonly changed: readonly string[];
  /** The nodes of a LangGraph graph that ran in it. None of a step that was not a graph's. */
  readonly nodes: readonly string[];
  /**
   * What was written, in order. Of a thread's first step, the values that it began with. The first step of a branch that forked off where the thread
   * had gone on has none: its checkpoint holds the values only.
   */
  readonly writes: readonly { readonly channel: string; readonly value: unknown; readonly task: string }[];
}

export async function* history(storage: Storage, { thread, namespace }: Where, start: CheckpointId | undefined, { limit = Number.POSITIVE_INFINITY }: HistoryOptions): AsyncGenerator<Step> {
  if (!(limit >= 0)) throw new InvalidConfigError({ field: "limit", hint: "It is a number of steps." });
  let next = start;
  for (let left = Math.floor(limit); left > 0; ) {
    // One more, to see by its parent what a step changed.
    const request = { thread, namespace, ...(next === undefined ? {} : { id: next }), limit: Math.min(left, PAGE) + 1 };
    const { page, heads, written } = await storage.options.events.reads.reported({ method: "history", thread }, (counts) => read(storage, request, counts));
    if (page.steps.length === 0 && start !== undefined && next === start) throw new UnknownCheckpointError({ thread, checkpoint: start });
    const isEnd = page.steps.length <= Math.min(left, PAGE);
    for (const [index, step] of (isEnd ? page.steps : page.steps.slice(0, -1)).entries()) {
      const before = new Map(page.steps[index + 1]?.versions.map(({ name, version }) => [name, version]));
      const changed = step.versions.filter(({ name, version }) => !isInternal(name) && before.get(name) !== version).map(({ name }) => name as string);
      const writes = (written[index] ?? []).filter(({ channel }) => !isInternal(channel));
      left--;
      const nodes = nodesOf(heads[index]!, heads[index + 1], written[index + 1]);
      yield { ...describe(step, heads[index]!), changed, nodes, writes: writes.map(({ task, channel, value }) => ({ task, channel, value })) };
    }
    if (isEnd) return;
    next = page.steps.at(-1)!.id;
  }
}

async function read({ engine, options: { codec } }: Storage, request: PathRequest, counts?: Counts) {
  const page = await engine.path(request, counts);
  const decoder = new Decoder(codec, page.runs);
  const written = await decoder.writes(page.writes);
  const heads: Head[] = [];
  for (const { head } of page.steps) heads.push(await decoder.head(head));
  return { page, heads, written };
}

/** Those that have seen more than before, and those that the step before sent tasks to. */
function nodesOf({ seen, metadata }: Head, before: Head | undefined, ledToBefore: readonly DecodedWrite[] = []): string[] {
  if (metadata["source"] !== "loop") return [];
  const sawAlready = (node: string) => JSON.stringify(before?.seen[node]) === JSON.stringify(seen[node]);
  const sent = ledToBefore.filter(({ channel }) => channel === TASKS).map(({ value }) => (value as { readonly node: string }).node);
  return [...new Set([...Object.keys(seen).filter((node) => !isInternal(node) && !sawAlready(node)), ...sent])];
}
