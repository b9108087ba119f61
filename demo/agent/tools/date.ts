import { tool } from "@langchain/core/tools";
import { z } from "zod";

const DAY = 86_400_000;

const midnight = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

function distance(days: number): string {
  if (days === 0) return "today";
  const length = Math.abs(days) === 1 ? "1 day" : `${String(Math.abs(days))} days`;
  return days > 0 ? `in ${length}` : `${length} ago`;
}

export const findDate = tool(
  async ({ phrase }) => {
    const { parseDate } = await import("chrono-node");
    const now = new Date();
    const date = parseDate(phrase, now, { forwardDate: true });
    if (date === null) throw new Error(`“${phrase}” is not a date I can place. Try “24 December”, “in 90 days” or “next Friday”.`);
    const written = new Intl.DateTimeFormat("en-GB", { dateStyle: "full" }).format(date);
    return `${written}, ${distance(Math.round((midnight(date) - midnight(now)) / DAY))}`;
  },
  {
    name: "find_date",
    description: "Places a date phrase such as “24 December”, “in 90 days” or “next Friday” in the calendar and counts the days to it.",
    schema: z.object({ phrase: z.string().min(1).max(200) }),
  },
);
