import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  ChatMessage,
  ChatMessageChunk,
  FunctionMessage,
  FunctionMessageChunk,
  HumanMessage,
  HumanMessageChunk,
  RemoveMessage,
  SystemMessage,
  SystemMessageChunk,
  ToolMessage,
  ToolMessageChunk,
} from "@langchain/core/messages";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { expect } from "vitest";
import { at, put, roundTrip, valuesAt } from "./support/checkpoints.ts";
import { contract } from "./support/contract.ts";

/** The types of LangChain's messages derive this field from a type parameter, and without one want it undefined. */
const usage: object = { usage_metadata: { input_tokens: 3, output_tokens: 5, total_tokens: 8, input_token_details: { cache_read: 1 } } };
const base = { id: "id", name: "name", additional_kwargs: { extra: [1, { deep: true }] }, response_metadata: { model: "m", finish_reason: "stop" } };
const tool_calls = [{ name: "search", args: { q: "x", n: 1 }, id: "call-1", type: "tool_call" as const }];

const messages: Record<string, () => BaseMessage> = {
  "HumanMessage": () => new HumanMessage({ ...base, content: "hello" }),
  "HumanMessage of a string": () => new HumanMessage("hello"),
  "HumanMessage of blocks": () => new HumanMessage({ content: [{ type: "text", text: "see" }, { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }] }),
  "HumanMessage with bytes in a block": () => new HumanMessage({ content: [{ type: "image", data: new Uint8Array([1, 2, 3]), mimeType: "image/png" }] }),
  "SystemMessage": () => new SystemMessage({ ...base, content: "be brief" }),
  "AIMessage": () => new AIMessage({ ...base, content: "hi" }),
  "AIMessage with tool calls": () =>
    new AIMessage({ ...base, content: "", tool_calls, invalid_tool_calls: [{ name: "bad", args: "{", id: "call-2", error: "no JSON", type: "invalid_tool_call" }], ...usage }),
  "AIMessage with standard blocks": () => new AIMessage({ contentBlocks: [{ type: "text", text: "a" }, tool_calls[0]!] }),
  "AIMessage with reasoning": () => new AIMessage({ content: [{ type: "thinking", thinking: "hm", signature: "s" }, { type: "text", text: "a" }] }),
  "ToolMessage": () => new ToolMessage({ ...base, content: "42", tool_call_id: "call-1" }),
  "ToolMessage with artifact": () =>
    new ToolMessage({ ...base, content: "failed", tool_call_id: "call-1", status: "error", artifact: { rows: [1, 2], when: new Date(0), raw: new Uint8Array([9]) }, metadata: { took: 12 } }),
  "ChatMessage": () => new ChatMessage({ ...base, content: "aye", role: "pirate" }),
  "FunctionMessage": () => new FunctionMessage({ ...base, content: "result", name: "fn" }),
  "RemoveMessage": () => new RemoveMessage({ id: "id-to-remove" }),
  "HumanMessageChunk": () => new HumanMessageChunk({ ...base, content: "he" }),
  "SystemMessageChunk": () => new SystemMessageChunk({ ...base, content: "be" }),
  "AIMessageChunk": () => new AIMessageChunk({ ...base, content: "h", ...usage }),
  "AIMessageChunk with tool call chunks": () =>
    new AIMessageChunk({ ...base, content: "", tool_call_chunks: [{ name: "search", args: '{"q":"x"', id: "call-1", index: 0, type: "tool_call_chunk" }, { args: "nonsense", index: 1, type: "tool_call_chunk" }] }),
  "AIMessageChunk with tool calls": () => new AIMessageChunk({ ...base, content: "", tool_calls }),
  "ToolMessageChunk": () => new ToolMessageChunk({ ...base, content: "4", tool_call_id: "call-1", status: "success", artifact: [1] }),
  "ChatMessageChunk": () => new ChatMessageChunk({ ...base, content: "a", role: "pirate" }),
  "FunctionMessageChunk": () => new FunctionMessageChunk({ ...base, content: "re", name: "fn" }),
};

/** Everything a program can read from a message. */
function facts(message: BaseMessage): unknown {
  const fields = ["id", "name", "content", "additional_kwargs", "response_metadata", "tool_calls", "invalid_tool_calls", "tool_call_chunks", "usage_metadata", "tool_call_id", "status", "artifact", "metadata", "role"];
  return {
    prototype: Object.getPrototypeOf(message) as unknown,
    type: message.getType(),
    fields: fields.map((field) => [field, Reflect.get(message, field) as unknown]),
    blocks: message.contentBlocks,
    text: message.text,
  };
}

const json = (message: BaseMessage): object => JSON.parse(JSON.stringify(message)) as object;

contract("A message comes back as its class, with all its fields", (it) => {
  it.for(Object.entries(messages))("%s", async ([, make], { saver, reopen }) => {
    const message = make();
    const places = { alone: message, list: [message], snapshot: new DeltaSnapshot([message]), map: new Map([["m", { message }]]) };
    const back = await roundTrip(saver, places);
    for (const found of Object.values(back) as (typeof places)[]) {
      const [inSnapshot] = found.snapshot.value as [BaseMessage];
      for (const one of [found.alone, found.list[0]!, inSnapshot, found.map.get("m")!.message]) {
        expect(facts(one)).toStrictEqual(facts(message));
        expect(json(one)).toMatchObject(json(message));
      }
    }
    expect(facts(message)).toStrictEqual(facts(make()));

    const first = await put(saver, at("thread"), 1, { values: { messages: [make()] } });
    const other = await reopen();
    const once = (await valuesAt(other, first))["messages"] as BaseMessage[];
    const second = await put(other, first, 2, { values: { messages: [...once, make()] } });
    const twice = (await valuesAt(await reopen(), second))["messages"] as BaseMessage[];
    expect(twice.map(facts)).toStrictEqual([facts(make()), facts(make())]);
  });

  it("with fields that were set after it was made", async ({ saver }) => {
    const message = new AIMessage({ content: "first" });
    message.id = "set later";
    message.content = "second";
    message.tool_calls = tool_calls;
    message.additional_kwargs["added"] = true;
    for (const [found] of Object.values(await roundTrip(saver, [message])) as [AIMessage][]) {
      expect([found.id, found.content, found.tool_calls, found.additional_kwargs]).toStrictEqual(["set later", "second", tool_calls, { added: true }]);
    }
  });

  it("chunks keep the tool calls that a person changed", async ({ saver }) => {
    const chunk = new AIMessageChunk({ content: "", tool_call_chunks: [{ name: "rm", args: '{"what":"all"}', id: "1", index: 0, type: "tool_call_chunk" }] });
    chunk.tool_calls = [{ ...chunk.tool_calls![0]!, args: { what: "one" } }];
    await put(saver, at("thread"), 1, { values: { messages: [chunk] } });
    const [back] = (await valuesAt(saver, at("thread")))["messages"] as AIMessageChunk[];
    expect(back!.tool_calls![0]!.args).toStrictEqual({ what: "one" });
  });

  it("chunks still join after a trip through the storage", async ({ saver }) => {
    const parts = [
      new AIMessageChunk({ id: "id", content: "Hel", tool_call_chunks: [{ name: "search", args: '{"q"', id: "c", index: 0, type: "tool_call_chunk" }] }),
      new AIMessageChunk({ content: "lo", tool_call_chunks: [{ args: ':"x"}', index: 0, type: "tool_call_chunk" }], ...usage }),
    ] as const;
    for (const [left, right] of Object.values(await roundTrip(saver, [...parts])) as [AIMessageChunk, AIMessageChunk][]) {
      expect(facts(left.concat(right))).toStrictEqual(facts(parts[0].concat(parts[1])));
      expect(left.concat(right).tool_calls).toMatchObject([{ name: "search", args: { q: "x" }, id: "c" }]);
    }
  });

  it("in its place among five hundred others", async ({ saver, reopen }) => {
    const many = Array.from({ length: 500 }, (_, n) => (n % 2 === 0 ? new HumanMessage({ id: `m${n}`, content: `question ${n}` }) : new AIMessage({ id: `m${n}`, content: `answer ${n}` })));
    const config = await put(saver, at("thread"), 1, { values: { messages: many } });
    const found = (await valuesAt(await reopen(), config))["messages"] as BaseMessage[];
    expect(found.map(facts)).toStrictEqual(many.map(facts));
  });
});
