import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { Annotation, DeltaChannel, MessagesAnnotation, StateGraph, messagesDeltaReducer } from "@langchain/langgraph";
import { describe, expect } from "vitest";
import { at, put } from "./support/checkpoints.ts";
import { databaseTest as it } from "./support/contract.ts";
import { bytesOf, occurrences, readRows, textOf } from "./support/raw-database.ts";
import type { IndexedDBSaver } from "../src/index.ts";

const DeltaMessages = Annotation.Root({
  messages: () => new DeltaChannel<BaseMessage[], BaseMessage[]>(messagesDeltaReducer, { snapshotFrequency: 20 }),
});

const kinds = { "a plain reducer": MessagesAnnotation, "a DeltaChannel": DeltaMessages };

/** Texts that stand nowhere else, of the length of a short answer. */
const question = (turn: number): string => `question-${turn}-of-the-person ${"and some more words ".repeat(3)}`;
const answer = (turn: number): string => `answer-${turn}-of-the-model ${"with a longer text of many words ".repeat(8)}`;

function chat(state: typeof MessagesAnnotation | typeof DeltaMessages, saver: IndexedDBSaver) {
  return new StateGraph(state as typeof MessagesAnnotation)
    .addNode("model", ({ messages }) => ({ messages: [new AIMessage({ id: `a${(messages.length - 1) / 2}`, content: answer((messages.length - 1) / 2) })] }))
    .addEdge("__start__", "model")
    .addEdge("model", "__end__")
    .compile({ checkpointer: saver });
}

async function run(graph: ReturnType<typeof chat>, from: number, to: number): Promise<void> {
  for (let turn = from; turn < to; turn += 1) {
    await graph.invoke({ messages: [new HumanMessage({ id: `q${turn}`, content: question(turn) })] }, { configurable: { thread_id: "thread" } });
  }
}

it("holds a message once that is written again after a reload", async ({ saver, reopen, database }) => {
  const list = Array.from({ length: 40 }, (_, turn) => question(turn));
  const head = await put(saver, at("thread"), 1, { values: { list } });
  const cold = await reopen();
  await cold.putWrites(head, [["list", [question(3)]]], "task");
  expect(occurrences(textOf(await readRows(database)), "question-3-of-the-person")).toBe(1);
  expect((await cold.verify()).problems).toStrictEqual([]);
});

describe.each(Object.entries(kinds))("Storage of a chat with %s", (_, state) => {
  it("grows with what is said, not with how long the thread is, and holds each message twice at most", async ({ open, reopen, database }) => {
    const turns = 200;
    await run(chat(state, open()), 0, turns / 2);
    const half = await readRows(database);
    const graph = chat(state, await reopen());
    await run(graph, turns / 2, turns);
    const all = await readRows(database);

    const first = bytesOf(half);
    const second = bytesOf(all) - first;
    expect(second / first).toBeLessThan(1.2);

    const rowsOf = (store: string) => all.filter((row) => row.store === store).length;
    expect(rowsOf("checkpoints")).toBe(3 * turns);
    expect(rowsOf("content")).toBeLessThan(turns); // of 2 * turns messages, in every checkpoint, and once more as writes

    const said = Array.from({ length: turns }, (_unused, turn) => turn);
    const text = textOf(all);
    const times = said.map((turn) => [occurrences(text, `question-${turn}-of-the-person`), occurrences(text, `answer-${turn}-of-the-model`)]);
    expect(times.flat().filter((each) => each < 1 || each > 2)).toStrictEqual([]);

    const { messages } = (await graph.getState({ configurable: { thread_id: "thread" } })).values as typeof MessagesAnnotation.State;
    expect(messages.map(({ content }) => content)).toStrictEqual(said.flatMap((turn) => [question(turn), answer(turn)]));
  });
});
