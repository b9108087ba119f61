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

/** Which channel holds the messages. `frequency` is the delta channel's snapshot frequency. */
export type Workload = { readonly channel: "plain" } | { readonly channel: "delta"; readonly frequency: number };

/** A chat on one thread: a turn is the user's message and one model node that answers it. */
export interface Chat {
  turn(turn: number): Promise<void>;
  messages(): Promise<readonly BaseMessage[]>;
}

const threadId = "5d7a6c0e-93b1-4c58-8f2e-1b0c7f6a2d94";
const config = { configurable: { thread_id: threadId } };

/** `script` holds what is said, question and answer by turns: made beforehand, so that no turn pays for making it. */
export function openChat(workload: Workload, checkpointer: BaseCheckpointSaver, script: readonly BaseMessage[]): Chat {
  let current = 0;
  const reply = () => ({ messages: script.slice(2 * current + 1, 2 * current + 2) });
  const graph =
    workload.channel === "plain"
      ? new StateGraph(MessagesAnnotation)
          .addNode("model", reply)
          .addEdge(START, "model")
          .addEdge("model", END)
          .compile({ checkpointer })
      : new StateGraph(deltaMessages(workload.frequency))
          .addNode("model", reply)
          .addEdge(START, "model")
          .addEdge("model", END)
          .compile({ checkpointer });
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

function deltaMessages(frequency: number) {
  return Annotation.Root({
    messages: () => new DeltaChannel<BaseMessage[], Messages>(messagesDeltaReducer, { snapshotFrequency: frequency }),
  });
}

/** A saver that reads something else than what was written has no time to report. */
export function assertSame(messages: readonly BaseMessage[], expected: readonly BaseMessage[]): void {
  if (messages.length !== expected.length) throw new Error(`${messages.length} messages, expected ${expected.length}`);
  for (const [at, message] of expected.entries()) {
    const read = messages[at];
    const same =
      read !== undefined &&
      BaseMessage.isInstance(read) &&
      read.type === message.type &&
      read.id === message.id &&
      read.content === message.content;
    if (!same) throw new Error(`message ${at} is not the one that was written`);
  }
}
