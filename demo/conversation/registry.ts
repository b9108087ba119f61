import { Conversation } from "./conversation.ts";

const conversations = new Map<string, Conversation>();

/** The one conversation of a thread in this tab: it goes on while another thread is on the screen. */
export function conversation(threadId: string): Conversation {
  const known = conversations.get(threadId) ?? new Conversation(threadId);
  conversations.set(threadId, known);
  return known;
}

export function dropConversation(threadId: string): void {
  conversations.delete(threadId);
}
