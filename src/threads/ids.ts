import { InvalidIdError } from "../errors/index.ts";
import type { Channel, CheckpointId, Namespace, TaskId, ThreadId } from "../idb/index.ts";

/*
 * Every string is a good key except one that is not well-formed: two such would become one in UTF-8.
 */

export function threadId(id: unknown): ThreadId {
  return filled("thread_id", id) as ThreadId;
}

/** Namespaces name subgraphs; the graph itself is "". */
export function namespace(name: unknown): Namespace {
  return wellFormed("checkpoint_ns", name) as Namespace;
}

export function checkpointId(id: unknown): CheckpointId {
  return filled("checkpoint_id", id) as CheckpointId;
}

export function taskId(id: unknown): TaskId {
  return filled("task_id", id) as TaskId;
}

export function channel(name: unknown): Channel {
  return wellFormed("channel", name) as Channel;
}

export function wellFormed(field: string, id: unknown): string {
  if (typeof id !== "string") throw new InvalidIdError({ field, reason: `is ${id === null || id === undefined ? String(id) : `a ${typeof id}`}` });
  if (!id.isWellFormed()) throw new InvalidIdError({ field, reason: "holds half of a surrogate pair" });
  return id;
}

function filled(field: string, id: unknown): string {
  const text = wellFormed(field, id);
  if (text === "") throw new InvalidIdError({ field, reason: "is empty" });
  return text;
}
