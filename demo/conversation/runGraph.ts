import type { BaseMessage } from "@langchain/core/messages";
import { graph } from "../agent/index.ts";
import type { ChatUpdate } from "../agent/state.ts";
import { threadConfig } from "./stored.ts";

/** Where a run begins, and with what: `null` goes on from what is stored. */
export interface Start {
  readonly input: ChatUpdate | null;
  /** The checkpoint; another one than the newest makes a branch. */
  readonly at?: string | undefined;
}

export type RunEvent =
  | { readonly type: "token"; readonly text: string }
  | { readonly type: "messages"; readonly messages: readonly BaseMessage[] };

/** Runs the thread until it ends, stops for approval or fails. */
export async function* runGraph(threadId: string, { input, at }: Start, signal: AbortSignal): AsyncGenerator<RunEvent> {
  const stream = await graph.stream(input, {
    ...threadConfig(threadId, at),
    streamMode: ["updates", "custom"],
    durability: "sync",
    signal,
  });
  for await (const [mode, chunk] of stream) {
    if (mode === "custom") yield { type: "token", text: String(chunk) };
    else yield { type: "messages", messages: Object.values(chunk as Record<string, unknown>).flatMap(messagesIn) };
  }
}

const messagesIn = (update: unknown): BaseMessage[] => (update as { messages?: BaseMessage[] } | null)?.messages ?? [];
