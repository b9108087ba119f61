import type { BaseMessage } from "@langchain/core/messages";
import type { Thread } from "langgraph-checkpoint-indexeddb/threads";
import { messagesOf } from "./stored.ts";

/** What there is in place of one message, on the branches that part there. */
export interface Alternative {
  /** Which of them is shown, from 0. */
  readonly shown: number;
  /** For each the tip of the newest branch that has it. */
  readonly tips: readonly string[];
}

/** By position in the thread. */
export type Alternatives = ReadonlyMap<number, Alternative>;

interface Shown {
  readonly messages: readonly BaseMessage[];
  readonly start: number;
  readonly at: string | undefined;
}

export const NO_ALTERNATIVES: Alternatives = new Map();

/** Finds the messages of a window, and the place after its end, where branches of the thread part. */
export async function alternativesIn(thread: Thread, { messages, start, at }: Shown): Promise<Alternatives> {
  const branches = await thread.branches();
  if (branches.length < 2 || at === undefined) return NO_ALTERNATIVES;
  const lengths = await Promise.all(branches.map(async ({ parent }) => (parent === undefined ? 0 : (await messagesOf(thread, { last: 0, at: parent })).total)));
  const positions = [...new Set(lengths)].filter((position) => position >= start && position <= start + messages.length);
  const found = await Promise.all(positions.map((position) => alternativeAt(thread, position, at, branches.map(({ tip }) => tip))));
  return new Map(found.flatMap((alternative, index) => (alternative === undefined ? [] : [[positions[index]!, alternative]])));
}

async function alternativeAt(thread: Thread, position: number, shown: string, tips: readonly string[]): Promise<Alternative | undefined> {
  const mine = await around(thread, position, shown);
  const byMessage = new Map<string | undefined, string>();
  for (const tip of tips) {
    const { before, message } = tip === shown ? mine : await around(thread, position, tip);
    if (before !== mine.before || (message === undefined && tip !== shown)) continue;
    if ((byMessage.get(message) ?? "") < tip) byMessage.set(message, tip);
  }
  return byMessage.size < 2 ? undefined : { shown: [...byMessage.keys()].indexOf(mine.message), tips: [...byMessage.values()] };
}

/** The ids of the message at a position, and of the one before it. */
async function around(thread: Thread, position: number, at: string): Promise<{ before: string | undefined; message: string | undefined }> {
  const { items, start } = await messagesOf(thread, { last: 2, before: position + 1, at });
  return { before: items[position - 1 - start]?.id, message: items[position - start]?.id };
}
