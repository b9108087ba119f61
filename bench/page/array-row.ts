import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";

/** A message as a chat application without LangGraph would keep it. */
export interface PlainMessage {
  readonly id: string | undefined;
  readonly type: string;
  readonly content: BaseMessage["content"];
}

/** Keeps the whole array of messages as one value. */
export interface ArrayRow {
  write(messages: readonly PlainMessage[]): Promise<void>;
  read(): Promise<readonly (PlainMessage | BaseMessage)[]>;
  close?(): Promise<void>;
}

export const plain = ({ id, type, content }: BaseMessage): PlainMessage => ({ id, type, content });

export const asMessage = ({ id, type, content }: PlainMessage): BaseMessage => {
  const fields = { content, ...(id === undefined ? {} : { id }) };
  return type === "human" ? new HumanMessage(fields) : new AIMessage(fields);
};
