import { AIMessage } from "@langchain/core/messages";
import { pause } from "../../pause.ts";
import type { ChatModel, ModelOptions } from "../model.ts";
import { nextCalls } from "./plan.ts";
import { newestTurn } from "./turn.ts";
import { wording } from "./wording.ts";

const THINKING_MS = 250;
const WORD_MS = 18;

/** No language model: it reads a few kinds of request, calls a tool for each, and words what they answered. */
export const offlineModel: ChatModel = async (messages, { signal, onToken }) => {
  const turn = newestTurn(messages);
  await pause(THINKING_MS, signal);
  const calls = nextCalls(turn);
  const id = crypto.randomUUID();
  if (calls.length > 0) {
    const named = calls.map((call) => ({ ...call, id: `call-${crypto.randomUUID()}`, type: "tool_call" as const }));
    return new AIMessage({ id, content: "", tool_calls: named });
  }
  const content = wording(turn);
  await speak(content.match(/\S+\s*/g) ?? [], { signal, onToken });
  return new AIMessage({ id, content });
};

/** By the clock and not word by word, since a tab in the background gets one timer a second. */
async function speak(words: readonly string[], { signal, onToken }: ModelOptions): Promise<void> {
  const started = performance.now();
  for (let spoken = 0; spoken < words.length; ) {
    const due = Math.ceil((performance.now() - started) / WORD_MS);
    onToken(words.slice(spoken, due).join(""));
    spoken = Math.max(spoken, due);
    await pause(WORD_MS, signal);
  }
}
