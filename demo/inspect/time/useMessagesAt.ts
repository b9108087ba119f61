import type { BaseMessage } from "@langchain/core/messages";
import { useEffect, useState } from "react";
import { saver } from "../../store/saver.ts";
import { problemOf, type Problem } from "../../conversation/problem.ts";
import type { Visit } from "../inspection.ts";

export interface MessagesAt {
  readonly messages: readonly BaseMessage[];
  /** How many messages come before these. */
  readonly before: number;
  readonly step: number | undefined;
  readonly created: Date | undefined;
}

interface Reading {
  readonly found: MessagesAt | undefined;
  readonly problem: Problem | undefined;
}

/** The last `count` messages of a thread as it was at a step. While another step is being read, the one before stays. */
export function useMessagesAt({ threadId, checkpoint }: Visit, count: number): Reading {
  const [reading, setReading] = useState<Reading>({ found: undefined, problem: undefined });
  useEffect(() => {
    let shown = true;
    readMessagesAt(threadId, checkpoint, count).then(
      (found) => shown && setReading({ found, problem: undefined }),
      (error: unknown) => shown && setReading({ found: undefined, problem: problemOf(error) }),
    );
    return () => {
      shown = false;
    };
  }, [threadId, checkpoint, count]);
  return reading;
}

async function readMessagesAt(threadId: string, at: string, last: number): Promise<MessagesAt> {
  const thread = saver.threads.thread(threadId);
  const [{ items, start }, { value: step }] = await Promise.all([thread.slice("messages", { last, at }), thread.history({ at, limit: 1 }).next()]);
  return {
    messages: items as BaseMessage[],
    before: start,
    step: step?.metadata["step"] as number | undefined,
    created: step?.created,
  };
}
