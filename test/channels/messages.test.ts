import { AIMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import { messagesDeltaReducer } from "@langchain/langgraph";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assertBatchInvariant, type Message, messagesReducer, Overwrite, REMOVE_ALL_MESSAGES, removeMessage, withMessageIds } from "../../src/channels/index.ts";
import { runs } from "../support/runs.ts";

const say = (id: string, content = id): Message => ({ id, role: "user", content });

/** Few ids, so that they meet; sometimes none. */
const message = fc.record({ id: fc.option(fc.constantFrom("a", "b", "c", "d"), { nil: undefined }), content: fc.nat(9) });
const removal = fc.constantFrom("a", "b", "c", "z", REMOVE_ALL_MESSAGES).map(removeMessage);
const item = fc.oneof({ weight: 4, arbitrary: message }, { weight: 1, arbitrary: removal });
const writes = fc.array(fc.oneof(item, fc.array(item, { maxLength: 4 })), { maxLength: 8 });

describe("messagesReducer", () => {
  it("appends, and replaces in place by id", () => {
    const state = messagesReducer([say("a"), say("b")], [say("c"), [say("a", "changed"), say("d")]]);
    expect(state).toStrictEqual([say("a", "changed"), say("b"), say("c"), say("d")]);
  });

  it("removes by id, and all; what is unknown it leaves", () => {
    expect(messagesReducer([say("a"), say("b")], [removeMessage("a"), removeMessage("z")])).toStrictEqual([say("b")]);
    expect(messagesReducer([say("a")], [[say("b"), removeMessage(REMOVE_ALL_MESSAGES), say("c")]])).toStrictEqual([say("c")]);
    expect(messagesReducer([say("a"), say("b")], [removeMessage("a"), say("a", "again")])).toStrictEqual([say("b"), say("a", "again")]);
  });

  it("does not change what it is given", () => {
    const state = Object.freeze([Object.freeze(say("a"))]);
    expect(messagesReducer(state, [Object.freeze([say("b")]), removeMessage("a")])).toStrictEqual([say("b")]);
    expect(state).toStrictEqual([say("a")]);
  });

  it("takes LangChain's messages", () => {
    const [question, answer] = [new HumanMessage({ id: "q", content: "?" }), new AIMessage({ id: "a", content: "!" })];
    const state = messagesReducer<HumanMessage | AIMessage>([question], [answer]);
    expect(state).toStrictEqual([question, answer]);
    expect(messagesReducer(state, [new RemoveMessage({ id: "q" })])).toStrictEqual([answer]);
  });

  it("is invariant under batching, also for lists in which an id occurs twice", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), writes, (initial, written) => {
        assertBatchInvariant(messagesReducer, written, { initial: () => initial });
      }),
      runs(500),
    );
  });

  it("does what LangGraph's does", () => {
    fc.assert(
      fc.property(fc.uniqueArray(message, { selector: ({ id }) => id ?? {}, maxLength: 6 }), writes, (initial, written) => {
        const coerced = (list: readonly object[]) => list.map((each) => ({ ...each, role: "user" }));
        const ours = messagesReducer<Message>(initial, written);
        const theirs = messagesDeltaReducer(
          coerced(initial) as never,
          written.flat().map((each) => ("type" in each ? new RemoveMessage({ id: each.id }) : { ...each, role: "user" })) as never,
        );
        expect(theirs.map(({ id, content }) => ({ id, content: Number(content) }))).toStrictEqual(ours.map(({ id, content }) => ({ id, content })));
      }),
      runs(300),
    );
  });
});

describe("withMessageIds", () => {
  it("gives ids to those that have none, on copies", () => {
    const plain = { role: "user", content: "hi" };
    const [first, second] = withMessageIds([plain, say("a")]) as [Message, Message];
    expect(first).toStrictEqual({ ...plain, id: expect.stringMatching(/^[\da-f-]{36}$/) });
    expect(second).toStrictEqual(say("a"));
    expect(plain).not.toHaveProperty("id");
  });

  it("leaves a write as it is in which all have ids", () => {
    const write = [say("a"), removeMessage("b")];
    expect(withMessageIds(write)).toBe(write);
    expect(withMessageIds(write[0])).toBe(write[0]);
  });

  it("gives LangChain's messages theirs, and looks into an Overwrite", () => {
    const human = new HumanMessage("hi");
    const written = withMessageIds(new Overwrite([human])) as Overwrite<HumanMessage[]>;
    expect(written.value).toStrictEqual([human]);
    expect(human.id).toMatch(/^[\da-f-]{36}$/);
    expect(human.lc_kwargs["id"]).toBe(human.id);
  });
});
