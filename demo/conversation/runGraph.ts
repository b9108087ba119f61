import type { BaseMessage } from "@langchain/core/messages";
import { graph } from "../agent/index.ts";
import type { ChatUpdate } from "../agent/state.ts";
import { threadConfig } from "./readThread.ts";

export type RunEvent =
  | { readonly type: "token"; readonly text: string }
  | { readonly type: "messages"; readonly messages: readonly BaseMessage[] };

/** Runs the thread until it ends, stops for approval or fails; `null` goes on from what is stored. */
export async function* runGraph(threadId: string, input: ChatUpdate | null, signal: AbortSignal): AsyncGenerator<RunEvent> {
  const stream = await graph.stream(input, {
    ...threadConfig(threadId),
    streamMode: ["updates", "custom"],
    durability: "sync",
    signal,
  });
  for await (const [mode, chunk] of stream) {
    if (mode === "custom") yield { type: "token", text: String(chunk) };
    else yield { type: "messages", messages: Object.values(chunk as Record<string, unknown>).flatMap(messagesOf) };
  }
}

const messagesOf = (update: unknown): BaseMessage[] => (update as { messages?: BaseMessage[] } | null)?.messages ?? [];
