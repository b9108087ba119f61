import { MessagesDeltaValue, StateSchema } from "@langchain/langgraph/web";

/** `messages` is a `DeltaChannel`: a checkpoint stores what a step wrote, never the list again. */
export const ChatState = new StateSchema({ messages: MessagesDeltaValue });

export type ChatState = typeof ChatState.State;
export type ChatUpdate = typeof ChatState.Update;
