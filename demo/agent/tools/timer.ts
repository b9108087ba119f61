import { tool } from "@langchain/core/tools";
import { z } from "zod";
import { firstStart } from "../../store/toolRuns.ts";
import { pause } from "../pause.ts";

/** Counts from the call's first start, so a timer that a reload interrupted ends when it would have ended. */
export const waitSeconds = tool(
  async ({ seconds }, config) => {
    const started = (await firstStart(config.toolCall?.id ?? "")) ?? Date.now();
    await pause(Math.max(0, started + seconds * 1000 - Date.now()), config.signal);
    return seconds === 1 ? "1 second is over" : `${String(seconds)} seconds are over`;
  },
  {
    name: "wait",
    description: "A timer: answers after the given number of seconds.",
    schema: z.object({ seconds: z.number().positive().max(300) }),
  },
);
