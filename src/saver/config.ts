import type { RunnableConfig } from "@langchain/core/runnables";
import { getCheckpointId } from "@langchain/langgraph-checkpoint";
import { InvalidConfigError, InvalidIdError } from "../errors/index.ts";
import type { Channel, CheckpointId, Namespace, TaskId, ThreadId } from "../idb/index.ts";

/*
 * What a LangGraph config says about where. The config itself holds functions and signals, and goes nowhere. Every string
 * is a good key except one that is not well-formed: two such would become one in UTF-8.
 */

export function threadIdOf(config: RunnableConfig): ThreadId | undefined {
  const id: unknown = config.configurable?.["thread_id"];
  return id === undefined ? undefined : threadId(id);
}

export function threadId(id: unknown): ThreadId {
  return filled("thread_id", id) as ThreadId;
}

/** Without one the run would be lost. */
export function requiredThreadId(config: RunnableConfig): ThreadId {
  const id = threadIdOf(config);
  if (id !== undefined) return id;
  const hint = 'Pass it with the run: graph.invoke(input, { configurable: { thread_id: "thread-1" } }).';
  throw new InvalidConfigError({ field: "configurable.thread_id", hint });
}

/** Namespaces name subgraphs; the graph itself is "". */
export function namespaceOf(config: RunnableConfig): Namespace {
  return wellFormed("checkpoint_ns", config.configurable?.["checkpoint_ns"] ?? "") as Namespace;
}

export function checkpointIdOf(config: RunnableConfig): CheckpointId | undefined {
  const id = getCheckpointId(config);
  return id === "" ? undefined : checkpointId(id);
}

export function checkpointId(id: unknown): CheckpointId {
  return filled("checkpoint_id", id) as CheckpointId;
}

export function requiredCheckpointId(config: RunnableConfig): CheckpointId {
  const id = checkpointIdOf(config);
  if (id !== undefined) return id;
  throw new InvalidConfigError({ field: "configurable.checkpoint_id", hint: "Writes belong to the checkpoint they ran on: pass its id." });
}

export function taskId(id: unknown): TaskId {
  return filled("task_id", id) as TaskId;
}

export function taskPath(path: unknown): string {
  return wellFormed("taskPath", path);
}

export function channel(name: unknown): Channel {
  return wellFormed("channel", name) as Channel;
}

function filled(field: string, id: unknown): string {
  const text = wellFormed(field, id);
  if (text === "") throw new InvalidIdError({ field, reason: "is empty" });
  return text;
}

function wellFormed(field: string, id: unknown): string {
  if (typeof id !== "string") throw new InvalidIdError({ field, reason: `is ${id === null || id === undefined ? String(id) : `a ${typeof id}`}` });
  if (!id.isWellFormed()) throw new InvalidIdError({ field, reason: "holds half of a surrogate pair" });
  return id;
}
