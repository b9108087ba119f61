import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { prose } from "./prose.ts";
import { Random } from "./random.ts";

const messageLength = 400;

/** The messages of the first `turns` turns: question, answer, question, answer. Always the same ones. */
export function transcript(turns: number): BaseMessage[] {
  const random = new Random(1862);
  return Array.from({ length: turns }, () => [
    new HumanMessage({ id: random.uuid(), content: prose(random, messageLength) }),
    new AIMessage({ id: random.uuid(), content: prose(random, messageLength) }),
  ]).flat();
}

/** Bytes of the texts alone, in UTF-8. */
export function contentBytes(messages: readonly BaseMessage[]): number {
  const encoder = new TextEncoder();
  return messages.reduce((sum, message) => sum + encoder.encode(message.text).byteLength, 0);
}
