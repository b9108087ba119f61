import { AIMessage } from "@langchain/core/messages";
import { notUnderstood } from "./error.ts";
import type { Part } from "./wire.ts";

interface PartialCall {
  id: string;
  name: string;
  args: string;
}

/** Gathers the parts of one answer, be they many (a stream) or one (a plain reply). */
export class Reply {
  #content = "";
  readonly #calls: PartialCall[] = [];

  add({ content, tool_calls: calls }: Part): void {
    this.#content += content ?? "";
    for (const [position, part] of (calls ?? []).entries()) {
      const call = (this.#calls[part.index ?? position] ??= { id: "", name: "", args: "" });
      call.id ||= part.id ?? "";
      call.name += part.function?.name ?? "";
      call.args += part.function?.arguments ?? "";
    }
  }

  message(): AIMessage {
    const calls = this.#calls.filter(({ name }) => name !== "").map(({ id, name, args }) => ({
      id: id || `call-${crypto.randomUUID()}`,
      name,
      args: parsed(args),
      type: "tool_call" as const,
    }));
    if (this.#content === "" && calls.length === 0) throw notUnderstood();
    return new AIMessage({ id: crypto.randomUUID(), content: this.#content, tool_calls: calls });
  }
}

function parsed(args: string): Record<string, unknown> {
  try {
    return JSON.parse(args || "{}") as Record<string, unknown>;
  } catch (cause) {
    throw notUnderstood(cause);
  }
}
