import { AIMessage, HumanMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatModel } from "../model.ts";
import { BuiltInModelError, createSession, type Prompt } from "./api.ts";

const INSTRUCTIONS = "You are a helpful assistant in a web page. Answer briefly, in Markdown.";

/** A small model does not take a long thread. */
const RECENT = 24;

/** The browser's own language model. It calls no tools. */
export const builtInModel: ChatModel = async (messages, { signal, onToken }) => {
  const prompts = messages.slice(-RECENT).flatMap(promptOf);
  const aborted = signal === undefined ? {} : { signal };
  try {
    const session = await createSession({ initialPrompts: [{ role: "system", content: INSTRUCTIONS }, ...prompts.slice(0, -1)], ...aborted });
    try {
      let content = "";
      const reader = session.promptStreaming(prompts.at(-1)?.content ?? "", aborted).getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        content += next.value;
        onToken(next.value);
      }
      return new AIMessage({ id: crypto.randomUUID(), content });
    } finally {
      session.destroy();
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof BuiltInModelError) throw cause;
    throw new BuiltInModelError(`The browser’s model failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
};

function promptOf(message: BaseMessage): Prompt[] {
  if (message.text === "") return [];
  if (HumanMessage.isInstance(message)) return [{ role: "user", content: message.text }];
  return AIMessage.isInstance(message) ? [{ role: "assistant", content: message.text }] : [];
}
