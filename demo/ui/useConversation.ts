import { useSyncExternalStore } from "react";
import type { Conversation } from "../conversation/conversation.ts";
import { conversation } from "../conversation/registry.ts";
import type { View } from "../conversation/view.ts";

export function useConversation(threadId: string): [View, Conversation] {
  const shown = conversation(threadId);
  return [useSyncExternalStore(shown.subscribe, () => shown.view), shown];
}
