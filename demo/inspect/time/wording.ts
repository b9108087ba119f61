import { BaseMessage } from "@langchain/core/messages";
import type { Step } from "langgraph-checkpoint-indexeddb/threads";
import { toolCallsOf } from "../../agent/toolCalls.ts";

/** What a step was, in a word: the nodes that ran, or how else it came about. */
export function nameOf({ nodes, metadata }: Step): string {
  if (nodes.length > 0) return nodes.join(", ");
  switch (metadata["source"]) {
    case "input": return "input";
    case "update": return "update";
    case "fork": return "copy";
    default: return "start";
  }
}

export const numberOf = ({ metadata }: Step): string => (typeof metadata["step"] === "number" ? String(metadata["step"]) : "?");

/** Of Markdown, which is not rendered in a line. */
const EMPHASIS = /\*\*|`/g;

/** What a write holds, short enough for a line. */
export function previewOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(previewOf).filter((text) => text !== "").join(" · ");
  if (BaseMessage.isInstance(value)) {
    const calls = toolCallsOf(value).map(({ name }) => `${name}()`);
    return [value.text.replaceAll(EMPHASIS, ""), ...calls].filter((text) => text !== "").join(" ");
  }
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** The line under a step: what it wrote. */
export function summaryOf({ writes }: Step): string {
  return writes.map(({ value }) => previewOf(value)).filter((text) => text !== "").join(" · ");
}
