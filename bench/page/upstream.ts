import { AIMessage, BaseMessage } from "@langchain/core/messages";
import { Annotation, DeltaChannel, END, MemorySaver, type Messages, messagesDeltaReducer, START, StateGraph } from "@langchain/langgraph/web";
import { transcript } from "./conversation.ts";
import { Loader } from "./loader.ts";
import { memorySizes } from "./memory.ts";
import { openedSaver } from "./open-saver.ts";
import { prose } from "./prose.ts";
import { Random } from "./random.ts";
import { storeSizes } from "./rows.ts";
import { databaseName, type SaverName } from "./savers.ts";
import { threadId } from "./workload.ts";

/** One node, a delta channel for each frequency, one message in each of them a turn. */
export interface ManyChannels {
  readonly saver: SaverName;
  readonly frequencies: readonly number[];
  readonly turns: number;
}

export interface ManyChannelsSeen {
  readonly turnTimes: readonly number[];
  readonly readTimes: readonly number[];
  readonly rowBytes: number;
}

/** Runs the last `measured` turns as a graph, after the others were handed to the saver as the graph would; then reads. */
export async function manyChannels({ saver: name, frequencies, turns }: ManyChannels, { measured, reads }: { measured: number; reads: number }): Promise<ManyChannelsSeen> {
  const { saver } = openedSaver(name);
  const random = new Random(250);
  const names = frequencies.map((_, at) => `channel${at}`);
  const messages = Array.from({ length: turns }, () => names.map(() => new AIMessage({ id: random.uuid(), content: message(random) })));
  const said = (turn: number) => Object.fromEntries(names.map((channel, at) => [channel, (messages[turn] ?? []).slice(at, at + 1)]));

  const loader = Loader.start(saver, Object.fromEntries(frequencies.map((frequency, at) => [`channel${at}`, frequency])));
  for (let turn = 0; turn < turns - measured; turn += 1) await loader.ask({ turn }, said(turn));

  const state = Annotation.Root({
    turn: Annotation<number>,
    ...Object.fromEntries(names.map((channel, at) => [channel, () => deltaChannel(frequencies[at] ?? 0)])),
  });
  let current = 0;
  const graph = new StateGraph(state)
    .addNode("model", () => said(current))
    .addEdge(START, "model")
    .addEdge("model", END)
    .compile({ checkpointer: saver });
  const config = { configurable: { thread_id: threadId } };
  const turnTimes: number[] = [];
  for (current = turns - measured; current < turns; current += 1) {
    const before = performance.now();
    await graph.invoke({ turn: current }, config);
    turnTimes.push(performance.now() - before);
  }
  const readTimes: number[] = [];
  for (let read = 0; read < reads; read += 1) {
    const before = performance.now();
    const { values } = await graph.getState(config);
    readTimes.push(performance.now() - before);
    for (const channel of names) checkList((values as Record<string, unknown>)[channel], turns);
  }
  return { turnTimes, readTimes, rowBytes: await rowBytesOf(name) };
}

const deltaChannel = (snapshotFrequency: number) => new DeltaChannel<BaseMessage[], Messages>(messagesDeltaReducer, { snapshotFrequency });

/** 240 to 260 characters. */
const message = (random: Random): string => prose(random, 600).slice(0, random.between(240, 260));

function checkList(list: unknown, turns: number): void {
  if (!Array.isArray(list) || list.length !== turns || !list.every((each) => BaseMessage.isInstance(each))) throw new Error(`not the ${turns} messages that were written`);
}

/** What the rows of a chat of questions and answers take after each of `lengths` turns. */
export async function chatSizes(name: SaverName, channel: "plain" | number, lengths: readonly number[]): Promise<number[]> {
  const { saver } = openedSaver(name);
  const loader = Loader.start(saver, { messages: channel });
  const script = transcript(Math.max(...lengths));
  const sizes: number[] = [];
  for (let turn = 0; turn < script.length / 2; turn += 1) {
    await loader.turn(script.slice(2 * turn, 2 * turn + 1), script.slice(2 * turn + 1, 2 * turn + 2));
    if (lengths.includes(turn + 1)) sizes.push(await rowBytesOf(name));
  }
  return sizes;
}

async function rowBytesOf(name: SaverName): Promise<number> {
  const { saver } = openedSaver(name);
  const stores = saver instanceof MemorySaver ? memorySizes(saver) : await storeSizes(databaseName);
  return stores.reduce((bytes, { keyBytes, valueBytes }) => bytes + keyBytes + valueBytes, 0);
}
