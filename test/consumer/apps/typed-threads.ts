import { type Migration, delta, lastValue, messagesReducer, type Slice, ThreadStore } from "langgraph-checkpoint-indexeddb/threads";

interface ChatMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: string;
}

const migration: Migration = (state) => ({ ...state });
await using threads = new ThreadStore({
  channels: { messages: delta(messagesReducer<ChatMessage>), title: lastValue<string>() },
  version: 2,
  migrations: { 2: migration },
});
const thread = threads.thread("t");
await thread.append({ messages: { id: "1", role: "user", content: "hi" }, title: "Hello" });
const { messages, title } = await thread.values();
const window: Slice<ChatMessage> = await thread.slice("messages", { last: 1 });
console.log(messages[0]?.role, title?.length, window.items[0]?.content);
// @ts-expect-error: there is no such channel
await thread.append({ other: 1 });
// @ts-expect-error: a message has a role
await thread.append({ messages: { id: "2", content: "hi" } });
// @ts-expect-error: one of the two
await thread.slice("messages", {});
