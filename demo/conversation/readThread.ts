import type { BaseMessage } from "@langchain/core/messages";
import { messagesDeltaReducer, type StateSnapshot } from "@langchain/langgraph/web";
import { graph } from "../agent/index.ts";
import { isStopped } from "../store/threads.ts";
import { problemOf, type Problem } from "./problem.ts";

/** Where a thread stands when nobody runs it. */
export type Standing = "finished" | "unfinished" | "approval" | "stopped" | "failed";

export interface StoredThread {
  readonly messages: readonly BaseMessage[];
  readonly standing: Standing;
  readonly step: number | undefined;
  readonly problem: Problem | undefined;
}

export const threadConfig = (threadId: string) => ({ configurable: { thread_id: threadId } });

export async function readThread(threadId: string): Promise<StoredThread> {
  const snapshot = await graph.getState(threadConfig(threadId));
  const stopped = await isStopped(threadId);
  const failure: unknown = snapshot.tasks.find(({ error }) => error !== undefined)?.error;
  const standing = standingOf(snapshot, stopped, failure !== undefined);
  return {
    messages: messagesOf(snapshot),
    standing,
    step: snapshot.metadata?.step,
    problem: standing === "failed" ? problemOf(failure) : undefined,
  };
}

function standingOf({ tasks }: StateSnapshot, stopped: boolean, failed: boolean): Standing {
  const open = tasks.filter(({ result }) => result === undefined);
  if (tasks.length === 0) return "finished";
  if (open.some(({ name }) => name === "effect")) return "approval";
  if (stopped) return "stopped";
  return failed ? "failed" : "unfinished";
}

/** The stored messages, and those that finished tasks of an unfinished step already left as pending writes. */
function messagesOf({ values, tasks }: StateSnapshot): readonly BaseMessage[] {
  const stored = (values as { messages?: BaseMessage[] }).messages ?? [];
  const pending = tasks.flatMap(({ result }) => (result as { messages?: BaseMessage[] } | undefined)?.messages ?? []);
  return pending.length === 0 ? stored : messagesDeltaReducer(stored, pending);
}
