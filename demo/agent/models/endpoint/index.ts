import type { StructuredToolInterface } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { EventSourceParserStream } from "eventsource-parser/stream";
import type { ZodType } from "zod";
import type { ChatModel, ModelOptions } from "../model.ts";
import { EndpointError, notUnderstood, refusal, unreachable } from "./error.ts";
import { Reply } from "./reply.ts";
import { Chunk, Completion, toWire } from "./wire.ts";

export interface Endpoint {
  readonly baseUrl: string;
  readonly modelName: string;
  readonly apiKey: string;
}

const INSTRUCTIONS = "You are a helpful assistant in a web page. Use the tools when they help. Answer briefly, in Markdown.";

/** A model behind an OpenAI-compatible `/chat/completions`, streamed where the endpoint streams. */
export function endpointModel({ baseUrl, modelName, apiKey }: Endpoint, tools: readonly StructuredToolInterface[]): ChatModel {
  return async (messages, options) => {
    if (!URL.canParse(baseUrl)) throw new EndpointError("No endpoint is set up yet. Give its base URL in the settings.");
    const url = `${baseUrl.replace(/\/+$/, "")}/chat/completions`;
    const body = {
      model: modelName,
      stream: true,
      messages: [{ role: "system", content: INSTRUCTIONS }, ...messages.map(toWire)],
      tools: tools.map((tool) => convertToOpenAITool(tool)),
    };
    const response = await post(url, apiKey, body, options.signal);
    if (!response.ok) throw await refusal(response, modelName);
    const reply = new Reply();
    if (response.headers.get("content-type")?.includes("text/event-stream") === true) await readStream(response, reply, options);
    else readWhole(await response.text(), reply, options);
    return reply.message();
  };
}

async function post(url: string, apiKey: string, body: unknown, signal: AbortSignal | undefined): Promise<Response> {
  try {
    return await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...(apiKey !== "" && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch (cause) {
    signal?.throwIfAborted();
    throw unreachable(url, cause);
  }
}

async function readStream(response: Response, reply: Reply, { signal, onToken }: ModelOptions): Promise<void> {
  if (response.body === null) throw notUnderstood();
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (next.value.data === "[DONE]") return;
      const delta = parse(Chunk, next.value.data).choices[0]?.delta;
      if (delta === undefined) continue;
      reply.add(delta);
      if (delta.content) onToken(delta.content);
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause instanceof EndpointError ? cause : unreachable(response.url, cause);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function readWhole(text: string, reply: Reply, { onToken }: ModelOptions): void {
  const message = parse(Completion, text).choices[0]?.message;
  if (message === undefined) throw notUnderstood();
  reply.add(message);
  onToken(message.content ?? "");
}

function parse<Shape>(shape: ZodType<Shape>, json: string): Shape {
  try {
    return shape.parse(JSON.parse(json));
  } catch (cause) {
    throw notUnderstood(cause);
  }
}
