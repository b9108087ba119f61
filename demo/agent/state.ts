import { DeltaValue, MessagesDeltaValue, MessagesValue, StateSchema } from "@langchain/langgraph/web";

/** A plain channel: every checkpoint holds the whole list, which the saver stores message by message, each once, and reads in windows. */
export const ChatState = new StateSchema({ messages: MessagesValue });

export type ChatState = typeof ChatState.State;
export type ChatUpdate = typeof ChatState.Update;

const { valueSchema, inputSchema, reducer } = MessagesDeltaValue;

/** A delta channel: a checkpoint holds what its step wrote, and one in a while a snapshot of the list. */
export const DeltaChatState = new StateSchema({ messages: new DeltaValue(valueSchema, { reducer, inputSchema, snapshotFrequency: 50 }) });
