import type { RunnableConfig } from "@langchain/core/runnables";
import { transcript } from "./conversation.ts";
import { Loader } from "./loader.ts";
import { openedSaver } from "./open-saver.ts";
import { Random } from "./random.ts";
import type { SaverName } from "./savers.ts";
import { assertMessages, chatGraph, type Workload } from "./workload.ts";

/** A thread of `turns` turns, of which all but the last `single` are said in large steps. */
export interface LongThread {
  readonly saver: SaverName;
  readonly workload: Workload;
  readonly turns: number;
  readonly single: number;
  readonly largeStep: number;
}

let loaded: { readonly thread: LongThread; readonly steps: { readonly config: RunnableConfig; readonly messages: number }[] } | undefined;

export async function loadLong(thread: LongThread): Promise<void> {
  const { saver } = openedSaver(thread.saver);
  const { workload, turns, single, largeStep } = thread;
  const loader = Loader.start(saver, { messages: workload.channel === "plain" ? "plain" : workload.frequency });
  const script = transcript(turns);
  const steps: { config: RunnableConfig; messages: number }[] = [];
  for (let turn = 0; turn < turns; ) {
    const size = turn < turns - single ? Math.min(largeStep, turns - single - turn) : 1;
    const said = script.slice(2 * turn, 2 * (turn + size));
    await loader.turn(said.slice(0, size), said.slice(size));
    turn += size;
    steps.push({ config: loader.config, messages: 2 * turn });
  }
  loaded = { thread, steps };
}

function graphOfLoaded() {
  if (loaded === undefined) throw new Error("loadLong() comes first");
  const { thread, steps } = loaded;
  return { graph: chatGraph(thread.workload, openedSaver(thread.saver).saver, () => []), thread, steps };
}

/** The time of `getStateHistory` over the newest `limit` steps. */
export async function newestSteps(limit: number): Promise<number> {
  const { graph, thread, steps } = graphOfLoaded();
  const newest = steps.at(-1);
  const before = performance.now();
  const lengths: number[] = [];
  for await (const { values } of graph.getStateHistory({ configurable: { thread_id: newest?.config.configurable?.["thread_id"] } }, { limit })) {
    lengths.push((values as { messages: unknown[] }).messages.length);
  }
  const time = performance.now() - before;
  if (lengths.length !== limit || lengths[0] !== 2 * thread.turns) throw new Error(`a history of ${lengths.length} steps with ${lengths[0]} messages`);
  return time;
}

/** `getState` at random old steps, each checked. */
export async function oldSteps(count: number): Promise<number[]> {
  const { graph, thread, steps } = graphOfLoaded();
  const script = transcript(thread.turns);
  const random = new Random(5);
  const measured: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const { config, messages } = random.pick(steps);
    const before = performance.now();
    const { values } = await graph.getState(config);
    measured.push(performance.now() - before);
    assertLength((values as { messages: Parameters<typeof assertMessages>[0] }).messages, script, messages, thread.largeStep);
  }
  return measured;
}

/** In a large step all questions come before all answers, so only the length and the first message are the script's. */
function assertLength(messages: Parameters<typeof assertMessages>[0], script: ReturnType<typeof transcript>, length: number, largeStep: number): void {
  if (largeStep === 1) assertMessages(messages, script.slice(0, length));
  else if (messages.length !== length || messages[0]?.id !== script[0]?.id) throw new Error(`${messages.length} messages, expected ${length}`);
}
