import { BaseMessage } from "@langchain/core/messages";
import {
  Annotation,
  type BaseCheckpointSaver,
  DeltaChannel,
  END,
  type Messages,
  MessagesAnnotation,
  messagesDeltaReducer,
  START,
  StateGraph,
} from "@langchain/langgraph/web";
import { type ArrayRow, plain, type PlainMessage } from "./array-row.ts";

/** Which channel holds the messages. `frequency` is the delta channel's snapshot frequency. */
export type Workload = { readonly channel: "plain" } | { readonly channel: "delta"; readonly frequency: number };

/** A chat on one thread: a turn is the user's message and one model node that answers it. */
export interface Chat {
  turn(turn: number): Promise<void>;
  messages(): Promise<readonly (BaseMessage | PlainMessage)[]>;
}

export const threadId = "5d7a6c0e-93b1-4c58-8f2e-1b0c7f6a2d94";

/** The graph of a chat: one node that gives what `reply` says. */
export function chatGraph(workload: Workload, checkpointer: BaseCheckpointSaver, reply: () => readonly BaseMessage[]) {
  const model = () => ({ messages: [...reply()] });
  return workload.channel === "plain"
    ? new StateGraph(MessagesAnnotation).addNode("model", model).addEdge(START, "model").addEdge("model", END).compile({ checkpointer })
    : new StateGraph(deltaMessages(workload.frequency)).addNode("model", model).addEdge(START, "model").addEdge("model", END).compile({ checkpointer });
}

/** `script` holds what is said, question and answer by turns: made beforehand, so that no turn pays for making it. */
export function openChat(workload: Workload, checkpointer: BaseCheckpointSaver, script: readonly BaseMessage[], thread = threadId): Chat {
  let current = 0;
  const config = { configurable: { thread_id: thread } };
  const graph = chatGraph(workload, checkpointer, () => script.slice(2 * current + 1, 2 * current + 2));
  return {
    async turn(turn) {
      current = turn;
      await graph.invoke({ messages: script.slice(2 * turn, 2 * turn + 1) }, config);
    },
    async messages() {
      const { values }: { values: { messages?: BaseMessage[] } } = await graph.getState(config);
      return values.messages ?? []; // Absent in an empty thread.
    },
  };
}

/** The same chat without a graph and without checkpoints: after each turn the array is written whole. */
export function openArrayChat(row: ArrayRow, script: readonly BaseMessage[]): Chat {
  const said: PlainMessage[] = [];
  return {
    async turn(turn) {
      said.push(...script.slice(2 * turn, 2 * turn + 2).map(plain));
      await row.write(said);
    },
    messages: () => row.read(),
  };
}

function deltaMessages(frequency: number) {
  return Annotation.Root({
    messages: () => new DeltaChannel<BaseMessage[], Messages>(messagesDeltaReducer, { snapshotFrequency: frequency }),
  });
}

/** A saver that reads something else than what was written has no time to report. */
export function assertSame(messages: readonly (BaseMessage | PlainMessage)[], expected: readonly BaseMessage[]): void {
  if (messages.length !== expected.length) throw new Error(`${messages.length} messages, expected ${expected.length}`);
  for (const [at, { type, id, content }] of expected.entries()) {
    const read = messages[at];
    const same = read !== undefined && read.type === type && read.id === id && read.content === content;
    if (!same) throw new Error(`message ${at} is not the one that was written`);
  }
}

/** What a graph gets are LangChain's messages. */
export function assertMessages(messages: readonly (BaseMessage | PlainMessage)[], expected: readonly BaseMessage[]): void {
  assertSame(messages, expected);
  const other = messages.findIndex((message) => !BaseMessage.isInstance(message));
  if (other >= 0) throw new Error(`message ${other} is not of a message class`);
}
