import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { useSyncExternalStore } from "react";
import { chatGraph } from "../../agent/graph.ts";
import { ChatState, DeltaChatState } from "../../agent/state.ts";
import { saver } from "../../store/saver.ts";
import { withThread } from "../../conversation/lock.ts";
import { problemOf, type Problem } from "../../conversation/problem.ts";
import { threadConfig } from "../../conversation/stored.ts";
import { beginThread } from "../../store/threads.ts";

export const TURNS = 500;

/** A long thread that is being made, or was. */
export interface Making {
  readonly threadId: string;
  readonly turns: number;
  readonly running: boolean;
  readonly problem: Problem | undefined;
}

const WORDS = "the thread keeps every step it took and each message of it once so a long talk costs no more per step than a short one".split(" ");

/** Some words that are another's for every turn: nothing is stored once by chance. */
function talk(turn: number, words: number): string {
  const picked = Array.from({ length: words }, (_, at) => WORDS[(turn * 7 + at * (turn % 5 + 1)) % WORDS.length] ?? "");
  return `${picked.join(" ")} (${String(turn)}).`;
}

/** What the messages of a long thread are kept in. */
export type Channel = "plain" | "delta";

/** The demo's own graph. Its model has the answers ready, so a turn takes what storing it takes. */
const graphWith = (state: typeof ChatState | typeof DeltaChatState) =>
  chatGraph({
    checkpointer: saver,
    state,
    model: (messages) => Promise.resolve(new AIMessage({ id: crypto.randomUUID(), content: `Noted: ${talk(messages.length, 36)}` })),
    runTool: () => Promise.reject(new Error("This model calls no tools.")),
    needsApproval: () => false,
  });

const graphs = { plain: graphWith(ChatState), delta: graphWith(DeltaChatState) };
const titles = { plain: `${String(TURNS)} turns`, delta: `${String(TURNS)} turns, delta channel` };

let making: Making | undefined;
let cancel = new AbortController();
const listeners = new Set<() => void>();

function change(next: Making): void {
  making = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export const useMaking = (): Making | undefined => useSyncExternalStore(subscribe, () => making);

export const cancelMaking = (): void => {
  cancel.abort();
};

/** Talks with the agent for {@link TURNS} turns, in a thread of its own. What is made when it is cancelled stays. */
export async function makeLongThread(channel: Channel): Promise<void> {
  const threadId = crypto.randomUUID();
  cancel = new AbortController();
  const { signal } = cancel;
  change({ threadId, turns: 0, running: true, problem: undefined });
  let problem: Problem | undefined;
  try {
    await beginThread(threadId, titles[channel]);
    await withThread(threadId, signal, async () => {
      for (let turn = 1; turn <= TURNS && !signal.aborted; turn++) {
        await graphs[channel].invoke({ messages: [new HumanMessage({ id: crypto.randomUUID(), content: talk(turn, 14) })] }, threadConfig(threadId));
        if (making !== undefined) change({ ...making, turns: turn });
      }
    });
  } catch (error) {
    problem = signal.aborted ? undefined : problemOf(error);
  }
  if (making !== undefined) change({ ...making, running: false, problem });
}
