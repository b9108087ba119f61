import { DeltaChannel, Overwrite as TheirOverwrite } from "@langchain/langgraph";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { advance, isDue } from "../../src/channels/cadence.ts";
import {
  aggregate, assertBatchInvariant, type Counters, delta, equal, lastValue, type Message, messagesReducer, migrate, Overwrite, overwriteOf, schemaOf, schemaVersionOf,
} from "../../src/channels/index.ts";
import { replay, step } from "../../src/channels/reduce.ts";
import { codeOf } from "../support/errors.ts";
import { runs } from "../support/runs.ts";

const concat = (state: readonly number[], writes: readonly number[]) => [...state, ...writes];
const numbers = delta(concat);
const sum = aggregate((state: number, write: number) => state + write, { initial: () => 0 });

describe("A step", () => {
  it("reduces all writes of a delta channel in one call", () => {
    const calls: (readonly number[])[] = [];
    const counted = delta((state: readonly number[], writes: readonly number[]) => (calls.push(writes), concat(state, writes)));
    expect(step("n", counted, { value: [1] }, [2, 3])).toStrictEqual([1, 2, 3]);
    expect(calls).toStrictEqual([[2, 3]]);
  });

  it("begins with the initial value", () => {
    expect(step("n", numbers, undefined, [1])).toStrictEqual([1]);
    expect(step("n", sum, undefined, [1, 2])).toBe(3);
    expect(step("n", delta((state: number, writes: readonly number[]) => writes.reduce((a, b) => a + b, state), { initial: () => 10 }), undefined, [1])).toBe(11);
  });

  it("takes one Overwrite, which is all that it does", () => {
    expect(step("n", numbers, { value: [1] }, [2, new Overwrite([7]), 3])).toStrictEqual([7]);
    expect(step("n", numbers, { value: [1] }, [new Overwrite(undefined)])).toStrictEqual([]);
    expect(step("n", sum, { value: 5 }, [new Overwrite(7)])).toBe(7);
    expect(codeOf(() => step("n", numbers, undefined, [new Overwrite([1]), new Overwrite([2])]))).toBe("invalid-update");
  });

  it("takes one write to a channel of one value", () => {
    expect(step("t", lastValue<string>(), { value: "a" }, ["b"])).toBe("b");
    expect(codeOf(() => step("t", lastValue<string>(), undefined, ["a", "b"]))).toBe("invalid-update");
  });
});

describe("A replay", () => {
  it("goes on from what is stored: a snapshot's value, or a plain one of an earlier release", () => {
    expect(replay(numbers, { value: [1] }, [2, 3])).toStrictEqual([1, 2, 3]);
    expect(replay(numbers, undefined, [])).toStrictEqual([]);
    expect(replay(sum, { value: 1 }, [2, 3])).toBe(6);
  });

  it("begins at the last Overwrite", () => {
    expect(replay(numbers, { value: [1] }, [2, new Overwrite([7]), 3, new Overwrite([8]), 4])).toStrictEqual([8, 4]);
    expect(replay(numbers, { value: [1] }, [new TheirOverwrite([7]), 3])).toStrictEqual([7, 3]);
    expect(replay(numbers, { value: [1] }, [{ __overwrite__: [7] }, 3])).toStrictEqual([7, 3]);
  });

  it("and a step give what LangGraph's channel gives", () => {
    const write = fc.oneof({ weight: 5, arbitrary: fc.nat(9) }, { weight: 1, arbitrary: fc.array(fc.nat(9), { maxLength: 2 }).map((value) => new Overwrite(value)) });
    fc.assert(
      fc.property(fc.option(fc.array(fc.nat(9)), { nil: undefined }), fc.array(write), (stored, writes) => {
        const theirs = new DeltaChannel<number[], number>(concat).fromCheckpoint(stored);
        const seed = stored === undefined ? undefined : { value: stored };
        theirs.replayWrites(writes.map((value) => ["task", "n", value]));
        expect(replay(numbers, seed, writes)).toStrictEqual(theirs.get());
        fc.pre(writes.length > 0 && writes.filter((each) => overwriteOf(each)).length < 2);
        const live = new DeltaChannel<number[], number>(concat).fromCheckpoint(stored);
        live.update(writes);
        expect(step("n", numbers, seed, writes)).toStrictEqual(live.get());
      }),
      runs(300),
    );
  });
});

describe("Snapshots", () => {
  const channels = { n: delta(concat, { snapshotFrequency: 50 }), quiet: delta(concat, { snapshotFrequency: 50 }), title: lastValue<string>() };

  it("come by the updates of the channel itself", () => {
    let counters: Counters = {};
    let snapshots = 0;
    for (let update = 0; update < 200; update++) {
      counters = advance(channels, new Set(["n"]), counters);
      if (!isDue(channels.n, counters["n"])) continue;
      snapshots++;
      const { n: _, ...rest } = counters;
      counters = rest;
    }
    expect(snapshots).toBe(4);
    expect(counters["quiet"]).toStrictEqual([0, 200]);
    expect(counters).not.toHaveProperty("title");
  });

  it("come after 5000 steps without one", () => {
    expect(isDue(channels.quiet, [0, 4999])).toBe(false);
    expect(isDue(channels.quiet, [0, 5000])).toBe(true);
  });

  it("have a frequency above zero", () => {
    expect(codeOf(() => delta(concat, { snapshotFrequency: 0 }))).toBe("invalid-config");
    expect(codeOf(() => delta(concat, { snapshotFrequency: 1.5 }))).toBe("invalid-config");
  });
});

describe("assertBatchInvariant", () => {
  it("accepts a reducer that keeps the law", () => {
    expect(() => assertBatchInvariant(concat, [1, 2, 3])).not.toThrow();
    expect(() => assertBatchInvariant(messagesReducer<Message>, [{ id: "a" }, { id: "a" }])).not.toThrow();
  });

  it("tells the batches that differ", () => {
    const lastOfBatch = (state: readonly number[], writes: readonly number[]) => [...state, ...writes.slice(-1)];
    const pushing = (state: number[], writes: readonly number[]) => {
      state.push(...writes);
      return state;
    };
    expect(() => assertBatchInvariant(pushing, [1, 2, 3])).toThrow(TypeError);
    expect(() => assertBatchInvariant(lastOfBatch, [1, 2, 3])).toThrow(expect.objectContaining({ code: "not-batch-invariant", batches: [1, 2] }));
  });
});

describe("Schema versions", () => {
  const schema = schemaOf(3, { 2: (state) => ({ ...state, two: true }), 3: (state) => ({ ...state, order: [...((state["order"] as string[]) ?? []), "three"] }) });

  it("run each migration since the version that was written", () => {
    expect(migrate(schema, { a: 1 }, schemaVersionOf({}))).toStrictEqual({ a: 1, two: true, order: ["three"] });
    expect(migrate(schema, { a: 1 }, schemaVersionOf({ schema_version: 2 }))).toStrictEqual({ a: 1, order: ["three"] });
    expect(migrate(schema, { a: 1 }, 3)).toStrictEqual({ a: 1 });
  });

  it("need every step, and refuse a state of a later release", () => {
    expect(codeOf(() => schemaOf(3, { 3: (state) => ({ ...state }) }))).toBe("invalid-config");
    expect(codeOf(() => migrate(schema, {}, 4))).toBe("newer-schema");
  });
});

it("compares values all the way down", () => {
  expect(equal({ a: [1, new Map([["x", new Date(1)]])] }, { a: [1, new Map([["x", new Date(1)]])] })).toBe(true);
  expect(equal({ a: [1] }, { a: [1, undefined] })).toBe(false);
  expect(equal([1], { 0: 1 })).toBe(false);
});
