import { tool } from "@langchain/core/tools";
import { z } from "zod";

export const calculate = tool(
  async ({ expression }) => {
    const { evaluate, format } = await import("./mathematics.ts");
    return format(evaluate(expression));
  },
  {
    name: "calculate",
    description: "Evaluates an arithmetic expression, for example 18 * 37, sqrt(2) or 17% * 240.",
    schema: z.object({ expression: z.string().min(1).max(500) }),
  },
);
