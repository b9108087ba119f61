import { tool } from "@langchain/core/tools";
import { z } from "zod";

export const convertUnits = tool(
  async ({ value, from, to }) => {
    const { convert } = await import("./mathematics.ts");
    return `${String(value)} ${from} = ${convert(value, from, to)} ${to}`;
  },
  {
    name: "convert_units",
    description: "Converts a quantity between units of length, mass, volume, temperature, speed, area, time or data.",
    schema: z.object({ value: z.number(), from: z.string().min(1), to: z.string().min(1) }),
  },
);
