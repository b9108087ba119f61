import { BaseMessage, coerceMessageLikeToMessage, type MessageFieldWithRole } from "@langchain/core/messages";
import { type ChannelVersions, type Checkpoint, INTERRUPT, uuid6 } from "@langchain/langgraph-checkpoint";
import type { IndexedDBSaver } from "../saver/saver.ts";

/** A thread as a test writes it down. */
export interface ThreadLiteral {
  readonly id: string;
  readonly title?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /**
   * The whole state after each step, oldest first. In `messages`, what has a `role` and `content` becomes a message of LangChain; one without an `id` has
   * the id `<thread>-1`, `<thread>-2`, … by its place in the list.
   */
  readonly states: readonly Readonly<Record<string, unknown>>[];
}

/** Stores a literal as a graph with plain channels would have: a graph with delta channels goes on from that too. */
export async function storeLiteral(saver: IndexedDBSaver, { id: thread, title, metadata, states }: ThreadLiteral): Promise<void> {
  await saver.threads.update(thread, { ...(title === undefined ? {} : { title }), ...(metadata === undefined ? {} : { metadata }) });
  let parent: string | undefined;
  const versions: ChannelVersions = {};
  for (const [step, state] of states.entries()) {
    const values = Object.fromEntries(Object.entries(state).map(([channel, value]) => [channel, channel === "messages" ? messagesOf(thread, value) : value]));
    for (const channel of Object.keys(values)) versions[channel] = saver.getNextVersion(versions[channel] as number | undefined);
    const checkpoint: Checkpoint = {
      v: 4,
      id: uuid6(step),
      ts: new Date().toISOString(),
      channel_values: values,
      channel_versions: { ...versions },
      versions_seen: { [INTERRUPT]: { ...versions } }, // else a graph would stop at every node, for a channel that it does not know
    };
    const written = Object.fromEntries(Object.keys(values).map((channel): [string, number | string] => [channel, versions[channel]!]));
    const config = { configurable: { thread_id: thread, checkpoint_ns: "", ...(parent === undefined ? {} : { checkpoint_id: parent }) } };
    await saver.put(config, checkpoint, { source: "update", step: step - 1, parents: {} }, written);
    parent = checkpoint.id;
  }
}

function messagesOf(thread: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((message: unknown, position) => (isLiteral(message) ? coerceMessageLikeToMessage({ id: `${thread}-${position + 1}`, ...message }) : message));
}

function isLiteral(message: unknown): message is MessageFieldWithRole {
  return typeof message === "object" && message !== null && !BaseMessage.isInstance(message) && "role" in message && "content" in message;
}
