import { type BaseMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { Annotation, DeltaChannel, Overwrite, type StateSnapshot, StateGraph, messagesDeltaReducer } from "@langchain/langgraph";
import { type BaseCheckpointSaver, MemorySaver } from "@langchain/langgraph-checkpoint";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freshName, implementations, openSaver } from "../support/contract.ts";
import { deleteDatabase } from "../support/raw-database.ts";
import { runs } from "../support/runs.ts";

/*
 * A small graph, made at random, and what people do with one, in any order: it has the same state and the same history as
 * with MemorySaver, then and after a reload. Ids, times and versions are the savers' own and are not compared.
 */

const effect = fc.constantFrom("nothing", "append", "append", "append", "append two", "overwrite");
const node = fc.record({ plain: effect, delta: effect, messages: fc.constantFrom("nothing", "say", "say", "edit", "remove"), last: fc.boolean() });
const blueprint = fc.record({
  stages: fc.array(fc.array(node, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  snapshotFrequency: fc.integer({ min: 1, max: 4 }),
  interruptBefore: fc.option(fc.nat(2), { nil: undefined }),
});
type Blueprint = typeof blueprint extends fc.Arbitrary<infer T> ? T : never;

const durability = fc.constantFrom("sync" as const, "async" as const, "exit" as const);
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("invoke" as const), durability }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("resume" as const), durability }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("invoke at" as const), back: fc.nat(12), durability }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("resume at" as const), back: fc.nat(12), durability }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("update" as const), back: fc.nat(1), overwrite: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("update" as const), back: fc.nat(12), overwrite: fc.boolean() }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const thread = { configurable: { thread_id: "thread" } };

function build({ stages, snapshotFrequency, interruptBefore }: Blueprint, checkpointer: BaseCheckpointSaver) {
  const State = Annotation.Root({
    plain: Annotation<string[]>({ reducer: (left, right) => [...left, ...right], default: () => [] }),
    delta: () => new DeltaChannel<string[], string[]>((state, writes) => state.concat(...writes), { snapshotFrequency }),
    messages: () => new DeltaChannel<BaseMessage[], BaseMessage[]>(messagesDeltaReducer, { snapshotFrequency }),
    last: Annotation<string>(),
  });
  const name = (stage: number, index: number): string => `stage ${stage} node ${index}`;
  const written = (kind: string, text: string, overwrites: boolean): string[] | Overwrite<string[]> | undefined => {
    if (kind === "nothing") return undefined;
    if (kind === "overwrite" && overwrites) return new Overwrite([`only ${text}`]);
    return kind === "append two" ? [`${text} one`, `${text} two`] : [text];
  };
  const said = (kind: string, messages: BaseMessage[], by: string): BaseMessage[] | undefined => {
    const target = messages[0]?.id;
    if (kind === "say") return [new HumanMessage({ id: `${by} ${messages.length}`, content: `said by ${by}` })];
    if (kind === "edit" && target !== undefined) return [new HumanMessage({ id: target, content: `edited by ${by}` })];
    return kind === "remove" && messages.length > 1 && target !== undefined ? [new RemoveMessage({ id: target })] : undefined;
  };
  const graph = new StateGraph(State) as unknown as StateGraph<typeof State.spec, typeof State.State, typeof State.Update, string>;
  for (const [stage, nodes] of stages.entries()) {
    for (const [index, spec] of nodes.entries()) {
      const by = name(stage, index);
      graph.addNode(by, ({ plain, messages }) => {
        const update = {
          plain: written(spec.plain, `${by} after ${plain.length}`, index === 0), // one Overwrite in a step is all LangGraph takes
          delta: written(spec.delta, `${by} after ${plain.length}`, index === 0),
          messages: index === 0 ? said(spec.messages, messages, by) : spec.messages === "say" ? said("say", messages, by) : undefined,
          last: spec.last && index === 0 ? by : undefined,
        };
        return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
      });
    }
  }
  for (const [stage, nodes] of stages.entries()) {
    const before = stages[stage - 1]?.map((_, index) => name(stage - 1, index)) ?? "__start__";
    for (const index of nodes.keys()) graph.addEdge(before, name(stage, index));
  }
  const stop = interruptBefore === undefined ? undefined : stages[interruptBefore]?.map((_, index) => name(interruptBefore, index));
  return graph.compile({ checkpointer, ...(stop === undefined ? {} : { interruptBefore: stop }) });
}
type Graph = ReturnType<typeof build>;

async function history(graph: Graph): Promise<StateSnapshot[]> {
  const found: StateSnapshot[] = [];
  for await (const snapshot of graph.getStateHistory(thread)) found.push(snapshot);
  return found;
}

/** One call, as its outcome. */
async function act(graph: Graph, what: Action, n: number): Promise<unknown> {
  const input = { plain: [`input ${n}`], delta: [`input ${n}`], messages: [new HumanMessage({ id: `input ${n}`, content: `input ${n}` })] };
  const before = "back" in what ? await history(graph) : [];
  const from: RunnableConfig = ("back" in what ? before[what.back % Math.max(1, before.length)]?.config : undefined) ?? thread;
  const outcome = async (): Promise<unknown> => {
    switch (what.kind) {
      case "invoke":
        return readable(await graph.invoke(input, { ...thread, durability: what.durability }));
      case "resume":
        return readable(await graph.invoke(null, { ...thread, durability: what.durability }));
      case "invoke at":
        return readable(await graph.invoke(input, { ...from, durability: what.durability }));
      case "resume at":
        return readable(await graph.invoke(null, { ...from, durability: what.durability }));
      case "update": {
        const list = what.overwrite ? new Overwrite([`updated ${n}`]) : [`updated ${n}`];
        return readable((await graph.getState(await graph.updateState(from, { plain: list, delta: list, last: `update ${n}` }, "stage 0 node 0"))).values);
      }
    }
  };
  return outcome().catch((error: Error) => `${error.name}: ${error.message}`);
}

/** State with its messages as facts, since a class may carry how it was made. */
function readable(state: unknown): unknown {
  const { messages, ...rest } = state as { messages?: BaseMessage[] };
  return { ...rest, ...(messages === undefined ? {} : { messages: messages.map((message) => [message.getType(), message.id, message.content]) }) };
}

/** All that a thread's history says, with checkpoints named by their place in it. */
async function everything(graph: Graph): Promise<unknown[]> {
  const snapshots = await history(graph);
  const places = new Map(snapshots.map(({ config }, place) => [config.configurable?.["checkpoint_id"] as unknown, place]));
  return Promise.all(
    snapshots.map(async ({ config, parentConfig, values, next, tasks, metadata }) => ({
      values: readable(values),
      alone: readable((await graph.getState(config)).values),
      next,
      parent: parentConfig && places.get(parentConfig.configurable?.["checkpoint_id"]),
      tasks: tasks.map(({ name, error, interrupts, path }) => ({ name, error, interrupts, path })),
      metadata: { source: metadata?.source, step: metadata?.step, counters: metadata?.counters_since_delta_snapshot },
    })),
  );
}

describe.each(implementations)("Any small graph (%s)", (implementation) => {
  it("has the state and the history that it has with MemorySaver", async () => {
    await fc.assert(
      fc.asyncProperty(blueprint, fc.array(action, { minLength: 1, maxLength: 7 }), async (plan, actions) => {
        const name = freshName();
        let saver = openSaver(implementation, { name });
        try {
          const [ours, memory] = [build(plan, saver), build(plan, new MemorySaver())];
          for (const [n, each] of actions.entries()) expect(await act(ours, each, n)).toStrictEqual(await act(memory, each, n));
          const expected = await everything(memory);
          expect(await everything(ours)).toStrictEqual(expected);
          await saver.close();
          saver = openSaver(implementation, { name });
          expect(await everything(build(plan, saver))).toStrictEqual(expected);
        } finally {
          await saver.close();
          await deleteDatabase(name);
        }
      }),
      runs(20),
    );
  }, 120_000);
});
