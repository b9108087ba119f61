import type { BaseMessage } from "@langchain/core/messages";
import { NO_ALTERNATIVES, type Alternatives } from "./alternatives.ts";
import type { Problem } from "./problem.ts";
import type { Standing } from "./readThread.ts";

/** What a thread is doing now: one of the stored standings, or something that goes on in a tab. */
type Phase = "loading" | "unreadable" | "running" | "elsewhere" | Standing;

export interface View {
  readonly phase: Phase;
  /** The end of the thread, as far up as it was asked for. */
  readonly messages: readonly BaseMessage[];
  /** The position in the thread of the first of `messages`. */
  readonly start: number;
  /** The checkpoint that was read. */
  readonly at: string | undefined;
  readonly alternatives: Alternatives;
  /** The answer that is being written, token by token. */
  readonly speech: string;
  /** The run goes on with one that a reload or a crash interrupted. */
  readonly resumed: boolean;
  readonly problem: Problem | undefined;
  readonly step: number | undefined;
  /** A message that could not be stored, to be given back to the reader. */
  readonly unsent: string | undefined;
}

export const EMPTY_VIEW: View = {
  phase: "loading",
  messages: [],
  start: 0,
  at: undefined,
  alternatives: NO_ALTERNATIVES,
  speech: "",
  resumed: false,
  problem: undefined,
  step: undefined,
  unsent: undefined,
};
