import { MessagesValue, StateSchema } from "@langchain/langgraph/web";

/** A plain channel: every checkpoint holds the whole list, which the saver stores message by message, each once, and reads in windows. */
export const ChatState = new StateSchema({ messages: MessagesValue });

export type ChatState = typeof ChatState.State;
export type ChatUpdate = typeof ChatState.Update;
