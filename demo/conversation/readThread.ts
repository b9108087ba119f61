import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { addMessages, type StateSnapshot } from "@langchain/langgraph/web";
import type { Step } from "langgraph-checkpoint-indexeddb/threads";
import { graph } from "../agent/index.ts";
import { toolCallsOf } from "../agent/toolCalls.ts";
import { readMark } from "../store/marks.ts";
import { chosenTip } from "./branch.ts";
import { problemOf, type Problem } from "./problem.ts";
import { messagesOf, stepAt, storedThread, threadConfig } from "./stored.ts";

/** How many messages are read at once: some screens full. */
export const WINDOW = 60;

/** Where a thread stands when nobody runs it. */
export type Standing = "finished" | "unfinished" | "approval" | "stopped" | "failed";

export interface StoredThread {
  /** The end of the thread, or all of it. */
  readonly messages: readonly BaseMessage[];
  /** The position in the thread of the first of them. */
  readonly start: number;
  /** The checkpoint they were read from. */
  readonly at: string | undefined;
  readonly standing: Standing;
  readonly step: number | undefined;
  readonly problem: Problem | undefined;
}

export async function readThread(threadId: string): Promise<StoredThread> {
  const thread = storedThread(threadId);
  const chosen = await chosenTip(threadId);
  const { items, start, at } = await messagesOf(thread, { last: WINDOW, ...(chosen !== undefined && { at: chosen }) });
  const step = at === undefined ? undefined : await stepAt(thread, at);
  const window = { start, at, step: step?.metadata["step"] as number | undefined };
  if (step === undefined || isSettled(items, step)) return { ...window, messages: items, standing: "finished", problem: undefined };

  const snapshot = await graph.getState(threadConfig(threadId, chosen));
  const { stopped = false } = await readMark(threadId);
  const failure: unknown = snapshot.tasks.find(({ error }) => error !== undefined)?.error;
  const standing = standingOf(snapshot, { stopped, failed: failure !== undefined, chosen: chosen !== undefined });
  return {
    ...window,
    messages: withPending(items, snapshot),
    standing,
    problem: standing === "failed" ? problemOf(failure) : undefined,
  };
}

/** Nothing can be left to do after an answer without calls: no need to read the whole state to see that. */
function isSettled(messages: readonly BaseMessage[], { metadata }: Step): boolean {
  const newest = messages.at(-1);
  return metadata["source"] !== "input" && AIMessage.isInstance(newest) && toolCallsOf(newest).length === 0;
}

/** A branch that somebody chose to look at does not go on by itself. */
function standingOf({ tasks }: StateSnapshot, { stopped, failed, chosen }: Readonly<Record<"stopped" | "failed" | "chosen", boolean>>): Standing {
  const open = tasks.filter(({ result }) => result === undefined);
  if (tasks.length === 0) return "finished";
  if (open.some(({ name }) => name === "effect")) return "approval";
  if (stopped) return "stopped";
  if (failed) return "failed";
  return chosen ? "stopped" : "unfinished";
}

/** The stored messages, and those that finished tasks of an unfinished step already left as pending writes. */
function withPending(stored: readonly BaseMessage[], { tasks }: StateSnapshot): readonly BaseMessage[] {
  const pending = tasks.flatMap(({ result }) => (result as { messages?: BaseMessage[] } | undefined)?.messages ?? []);
  return pending.length === 0 ? stored : addMessages([...stored], pending);
}
