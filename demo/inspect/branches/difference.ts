import type { BaseMessage } from "@langchain/core/messages";
import { saver } from "../../store/saver.ts";

export interface Difference {
  /** How many messages both begin with. */
  readonly shared: number;
  readonly only: readonly [readonly BaseMessage[], readonly BaseMessage[]];
}

type Tips = readonly [string, string];

/** What the messages at the ends of two branches do not have in common. */
export async function differenceOf(threadId: string, tips: Tips): Promise<Difference> {
  const thread = saver.threads.thread(threadId);
  const [one, other] = await Promise.all([messagesAt(thread, tips[0]), messagesAt(thread, tips[1])]);
  let shared = 0;
  while (shared < one.length && shared < other.length && isSame(one[shared], other[shared])) shared++;
  return { shared, only: [one.slice(shared), other.slice(shared)] };
}

async function messagesAt(thread: ReturnType<typeof saver.threads.thread>, at: string): Promise<BaseMessage[]> {
  return ((await thread.values({ at }))["messages"] ?? []) as BaseMessage[];
}

const isSame = (one: BaseMessage | undefined, other: BaseMessage | undefined): boolean =>
  one?.id === other?.id && JSON.stringify(one?.toDict()) === JSON.stringify(other?.toDict());
