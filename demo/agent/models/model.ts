import type { AIMessage, BaseMessage } from "@langchain/core/messages";

export interface ModelOptions {
  readonly signal: AbortSignal | undefined;
  readonly onToken: (token: string) => void;
}

export type ChatModel = (messages: readonly BaseMessage[], options: ModelOptions) => Promise<AIMessage>;
