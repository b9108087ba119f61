import type { RunnableConfig } from "@langchain/core/runnables";
import { getCheckpointId } from "@langchain/langgraph-checkpoint";
import { InvalidConfigError } from "../errors/index.ts";
import type { CheckpointId, Namespace, ThreadId } from "../idb/index.ts";
import { checkpointId, namespace, threadId, wellFormed } from "../threads/ids.ts";

/*
 * What a LangGraph config says about where. The config itself holds functions and signals, and goes nowhere.
 */

export function threadIdOf(config: RunnableConfig): ThreadId | undefined {
  const id: unknown = config.configurable?.["thread_id"];
  return id === undefined ? undefined : threadId(id);
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
  return namespace(config.configurable?.["checkpoint_ns"] ?? "");
}

export function checkpointIdOf(config: RunnableConfig): CheckpointId | undefined {
  const id = getCheckpointId(config);
  return id === "" ? undefined : checkpointId(id);
}

export function requiredCheckpointId(config: RunnableConfig): CheckpointId {
  const id = checkpointIdOf(config);
  if (id !== undefined) return id;
  throw new InvalidConfigError({ field: "configurable.checkpoint_id", hint: "Writes belong to the checkpoint they ran on: pass its id." });
}

export function taskPath(path: unknown): string {
  return wellFormed("taskPath", path);
}
