import { AIMessage, SystemMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { z } from "zod";
import { toolCallsOf } from "../../toolCalls.ts";

/** LangChain messages in the shape of an OpenAI-compatible endpoint. */
export function toWire(message: BaseMessage): Record<string, unknown> {
  if (ToolMessage.isInstance(message)) return { role: "tool", tool_call_id: message.tool_call_id, content: message.text };
  if (SystemMessage.isInstance(message)) return { role: "system", content: message.text };
  if (!AIMessage.isInstance(message)) return { role: "user", content: message.text };
  const calls = toolCallsOf(message).map(({ id, name, args }) => ({ id, type: "function", function: { name, arguments: JSON.stringify(args) } }));
  return { role: "assistant", content: message.text, ...(calls.length > 0 && { tool_calls: calls }) };
}

const Part = z.object({
  content: z.string().nullish(),
  tool_calls: z
    .array(
      z.object({
        index: z.number().optional(),
        id: z.string().nullish(),
        function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).optional(),
      }),
    )
    .nullish(),
});

export type Part = z.infer<typeof Part>;

export const Chunk = z.object({ choices: z.array(z.object({ delta: Part.optional() })) });
export const Completion = z.object({ choices: z.array(z.object({ message: Part })).min(1) });
