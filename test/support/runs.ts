import type { Parameters } from "fast-check";
import { inNode } from "./contract.ts";

/** How often a property is tried: in a real browser, where every step is slower, less often, and mostly in the one that most people have. */
const share = inNode ? 1 : /Chrome\//.test(navigator.userAgent) ? 1 / 10 : 1 / 20;

export function runs<T>(numRuns: number): Parameters<T> {
  return { numRuns: Math.ceil(numRuns * share) };
}
