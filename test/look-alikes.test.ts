import { BaseMessage } from "@langchain/core/messages";
import { isCommand } from "@langchain/langgraph";
import fc from "fast-check";
import { expect } from "vitest";
import { at, put, roundTrip, tupleAt } from "./support/checkpoints.ts";
import { contract, withSaver } from "./support/contract.ts";
import { difference } from "./support/difference.ts";
import { runs } from "./support/runs.ts";

const message = { lc: 1, type: "constructor", id: ["langchain_core", "messages", "HumanMessage"], kwargs: { content: "hi", additional_kwargs: {} } };

/** Data that a serializer somewhere takes for an instruction. */
const alike: Record<string, unknown> = {
  "LangChain's message": message,
  "LangChain's secret": { lc: 1, type: "secret", id: ["OPENAI_API_KEY"] },
  "LangChain's not implemented": { lc: 1, type: "not_implemented", id: ["x"] },
  "LangGraph's undefined": { lc: 2, type: "undefined" },
  "LangGraph's snapshot": { lc: 2, type: "delta_snapshot", value: [1] },
  "LangGraph's set": { lc: 2, type: "constructor", id: ["Set"], method: null, args: [[1, 2]], kwargs: {} },
  "LangGraph's bytes": { lc: 2, type: "constructor", id: ["Uint8Array"], method: "from", args: [[1, 2]], kwargs: {} },
  "a constructor that runs code": { lc: 2, type: "constructor", id: ["Function"], method: null, args: ["return process"], kwargs: {} },
  "a path to a constructor": { lc: 2, type: "constructor", id: ["constructor", "constructor"], method: "apply", args: [], kwargs: {} },
  "a snapshot's fields": { lg_name: "DeltaSnapshot", value: ["x"] },
  "a Send's fields": { lg_name: "Send", node: "n", args: { a: 1 } },
  "a Command's fields": { lg_name: "Command", update: { a: 1 }, goto: ["n"], resume: 1 },
  "an Overwrite's fields": { lg_name: "Overwrite", __overwrite__: [1] },
  "an Overwrite on the wire": { __overwrite__: [1] },
  "an Overwrite of Python's": { type: "__overwrite__", value: [1] },
  "a message's own fields": { lc_serializable: true, lc_namespace: ["langchain_core", "messages"], type: "human", content: "x", lc_kwargs: {} },
  "a thenable's shape without the function": { then: "later" },
  "the storage's own mark": { "": [16, "message", [0, 1, "hi"]] },
  "the mark of each tag": Array.from({ length: 20 }, (_, tag) => ({ "": [tag, 0, [1]] })),
  "the mark inside itself": { "": [0, ["", { "": [4] }]] },
  "the mark with company": { "": [4], a: 1 },
  "the mark with nothing in it": [{ "": [] }, { "": null }, { "": undefined }, { "": 4 }, { "": { "": [4] } }],
  "a polluted prototype": JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
};

/** Objects that share their keys and many of their values with those above, in every combination. */
const { shape } = fc.letrec((tie) => ({
  shape: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(0, 1, 2, 4, 7, 16, null, undefined, "", "constructor", "undefined", "delta_snapshot", "Send", "Command", "DeltaSnapshot", "message", "snapshot", "HumanMessage", "Set"),
    fc.array(tie("shape"), { maxLength: 4 }),
    fc.dictionary(
      fc.constantFrom("", "lc", "type", "id", "kwargs", "args", "method", "value", "lg_name", "node", "update", "goto", "__overwrite__", "__proto__", "constructor", "toJSON", "lc_kwargs"),
      tie("shape"),
      { maxKeys: 4 },
    ),
  ),
}));

contract("Data that looks like an instruction comes back as the data it was", (it, implementation) => {
  it.for(Object.entries(alike))("%s", async ([, value], { saver }) => {
    for (const data of [value, [value], { nested: value }]) {
      const back = await roundTrip(saver, data);
      expect(difference(back.channel, data)).toBeUndefined();
      expect(difference(back.write, data)).toBeUndefined();
    }
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("and is no message, and no Command", async ({ saver }) => {
    for (const back of Object.values(await roundTrip(saver, [message, alike["a Command's fields"]])) as unknown[][]) {
      expect(BaseMessage.isInstance(back[0])).toBe(false);
      expect(isCommand(back[1])).toBe(false);
    }
  });

  it("in metadata and in what nodes have seen, too", async ({ saver }) => {
    const config = await put(saver, at("thread"), 1, { metadata: alike, versionsSeen: { "": { "": 16 } } });
    const { metadata, checkpoint } = await tupleAt(saver, config);
    expect(difference(metadata, { source: "loop", step: 1, parents: {}, ...alike })).toBeUndefined();
    expect(checkpoint.versions_seen).toStrictEqual({ "": { "": 16 } });
  });

  it("whatever it is made of", async () => {
    await withSaver(implementation, async (saver) => {
      await fc.assert(
        fc.asyncProperty(shape, async (value) => {
          const back = await roundTrip(saver, value);
          expect(difference(back.channel, value)).toBeUndefined();
          expect(difference(back.write, value)).toBeUndefined();
        }),
        runs(150),
      );
    });
  });
});
