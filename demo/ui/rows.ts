import { AIMessage, HumanMessage, type BaseMessage } from "@langchain/core/messages";

/** A message with a place of its own in the list, and its position in the thread. */
export interface Row {
  readonly message: BaseMessage;
  readonly position: number;
}

/** What was said. A tool's result is shown with the call it answers. */
export const rowsOf = (messages: readonly BaseMessage[], start: number): readonly Row[] =>
  messages.map((message, index) => ({ message, position: start + index })).filter(({ message }) => HumanMessage.isInstance(message) || AIMessage.isInstance(message));
