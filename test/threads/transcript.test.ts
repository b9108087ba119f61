import { expect } from "vitest";
import { say, threadContract } from "../support/thread-stores.ts";
import { delta, lastValue, messagesReducer } from "../../src/threads/index.ts";

threadContract("A transcript", (it) => {
  it("is the messages at a checkpoint, in Markdown", async ({ threads }) => {
    const thread = threads.thread("a `thread`\n# of mine");
    const first = await thread.append({ messages: say("m1", "What is 1 + 1?") });
    await thread.append({
      messages: [
        { id: "m2", role: "assistant", content: "", tool_calls: [{ id: "c", name: "add", args: { a: 1, b: "```" } }] },
        { id: "m3", role: "tool", name: "add", content: "2" },
        { id: "m4", role: "assistant", content: [{ type: "text", text: "It is 2." }, { type: "image_url", image_url: "data:," }] },
      ],
    });
    expect(await thread.transcript({ at: first })).toBe(`# a 'thread' # of mine\n\nCheckpoint \`${first}\`.\n\n**user**\n\nWhat is 1 + 1?\n`);
    expect((await thread.transcript()).split("\n").slice(4)).toStrictEqual([
      "**user**", "", "What is 1 + 1?", "",
      "**assistant**", "", "Calls `add`:", "", "````json", "{", '  "a": 1,', '  "b": "```"', "}", "````", "",
      "**tool (add)**", "", "2", "",
      "**assistant**", "", "It is 2.", "", "*(image_url)*", "",
    ]);
  });

  it("is what each step wrote, oldest first", async ({ threads }) => {
    const thread = threads.thread("t");
    await thread.append({ messages: say("m1", "one") });
    await thread.append({ title: "no message" });
    const last = await thread.append({ messages: say("m2", "two") });
    const text = await thread.transcript({ of: "steps" });
    expect([...text.matchAll(/^(?:one|two|\*\*user\*\*)$/gm)].map(([line]) => line)).toStrictEqual(["**user**", "one", "**user**", "two"]);
    expect(text).toContain(`\`${last}\``);
    const { steps } = JSON.parse(await thread.transcript({ of: "steps", as: "json" })) as { steps: { changed: string[] }[] };
    expect(steps.map(({ changed }) => changed)).toStrictEqual([["messages"], ["title"], ["messages"]]);
  });

  it("says in JSON what it has no word for", async ({ open }) => {
    const threads = open({ channels: { messages: delta(messagesReducer), any: lastValue<unknown>() } });
    const circle: Record<string, unknown> = { name: "circle" };
    circle["self"] = circle;
    const any = [1n, Number.NaN, undefined, new Map([["a", new Set([1])]]), new Uint8Array([1, 255]), new Date(0), /a/g, new TypeError("no"), circle, JSON.parse('{"__proto__": 1}')];
    await threads.thread("t").append({ any });
    const { state } = JSON.parse(await threads.thread("t").transcript({ as: "json" })) as { state: { values: { any: unknown[] } } };
    expect(JSON.stringify(state.values.any)).toBe(
      JSON.stringify([
        { $bigint: "1" }, { $number: "NaN" }, { $undefined: true }, { $map: [["a", { $set: [1] }]] }, { $bytes: "01ff" }, "1970-01-01T00:00:00.000Z", { $regexp: "/a/g" },
        { $error: { name: "TypeError", message: "no" } }, { name: "circle", self: { $circular: true } },
      ]).slice(0, -1) + ',{"__proto__":1}]',
    );
  });

  it("is empty where there is no thread, and refuses what it does not know", async ({ threads }) => {
    expect(await threads.thread("t").transcript()).toBe("# t\n\nNo checkpoint.\n");
    await expect(threads.thread("t").transcript({ as: "html" as "json" })).rejects.toMatchObject({ code: "invalid-config" });
  });
});
