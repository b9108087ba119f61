import type { BaseMessage } from "@langchain/core/messages";
import type { Problem } from "./problem.ts";
import type { Standing } from "./readThread.ts";

/** What a thread is doing now: one of the stored standings, or something that goes on in a tab. */
export type Phase = "loading" | "unreadable" | "running" | "elsewhere" | Standing;

export interface View {
  readonly phase: Phase;
  readonly messages: readonly BaseMessage[];
  /** The answer that is being written, token by token. */
  readonly speech: string;
  /** The run goes on with one that a reload or a crash interrupted. */
  readonly resumed: boolean;
  readonly problem: Problem | undefined;
  readonly step: number | undefined;
  /** A message that could not be stored, to be given back to the reader. */
  readonly unsent: string | undefined;
}

export const EMPTY_VIEW: View = { phase: "loading", messages: [], speech: "", resumed: false, problem: undefined, step: undefined, unsent: undefined };
