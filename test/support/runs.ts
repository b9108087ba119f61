import type { Parameters } from "fast-check";
import { inNode } from "./contract.ts";

/** How often a property is tried: in a real browser, where every step is slower, a third of that. */
export function runs<T>(numRuns: number): Parameters<T> {
  return { numRuns: inNode ? numRuns : Math.ceil(numRuns / 3) };
}
