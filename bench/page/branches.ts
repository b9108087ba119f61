import type { BaseMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { transcript } from "./conversation.ts";
import { Loader } from "./loader.ts";
import { openedSaver } from "./open-saver.ts";
import { assertMessages, chatGraph, type Workload } from "./workload.ts";

export interface Forks {
  readonly workload: Workload;
  /** Turns before the fork, then forks and the steps of each. */
  readonly base: number;
  readonly forks: number;
  readonly steps: number;
}

export interface Touched {
  readonly rows: number;
  readonly keys: number;
  readonly ms: number;
}

/** Makes forks from one checkpoint that grow in turns, a step each; gives the newest checkpoint of the fork in the middle. */
export async function growForks({ workload, base, forks, steps }: Forks): Promise<RunnableConfig> {
  const { saver } = openedSaver("worker");
  const script = transcript(base);
  const trunk = Loader.start(saver, { messages: workload.channel === "plain" ? "plain" : workload.frequency });
  for (let turn = 0; turn < base; turn += 1) await trunk.turn(script.slice(2 * turn, 2 * turn + 1), script.slice(2 * turn + 1, 2 * turn + 2));
  const branches = [];
  for (let fork = 0; fork < forks; fork += 1) branches.push(await trunk.fork());
  const said = saidOn(base, forks, steps);
  for (let step = 0; step < steps - 1; step += 1) {
    for (const [at, branch] of branches.entries()) await branch.step({ messages: (said[at] ?? []).slice(step, step + 1) });
  }
  const middle = branches[middleOf(forks)];
  if (middle === undefined) throw new Error("there are no forks");
  return { configurable: { ...middle.config.configurable } };
}

/** On a fresh page: the state at the end of the middle fork, and what reading it touched. */
export async function readFork(config: RunnableConfig, { workload, base, forks, steps }: Forks): Promise<Touched> {
  const { saver, meter } = openedSaver("worker");
  const before = performance.now();
  const { values } = await chatGraph(workload, saver, () => []).getState(config);
  const ms = performance.now() - before;
  const { rowsRead, keysRead } = await meter.take();
  assertMessages((values as { messages: BaseMessage[] }).messages, [...transcript(base), ...(saidOn(base, forks, steps)[middleOf(forks)] ?? [])]);
  return { rows: rowsRead, keys: keysRead, ms };
}

const middleOf = (forks: number): number => Math.floor(forks / 2);

/** What is said on each fork, one message a step after the first: nothing twice. */
function saidOn(base: number, forks: number, steps: number): BaseMessage[][] {
  const all = transcript(base + Math.ceil((forks * steps) / 2)).slice(2 * base);
  return Array.from({ length: forks }, (_, at) => all.slice(at * steps, (at + 1) * steps - 1));
}
