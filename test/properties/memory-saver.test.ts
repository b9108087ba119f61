import { type BaseCheckpointSaver, type CheckpointTuple, DeltaSnapshot, ERROR, INTERRUPT, MemorySaver, RESUME } from "@langchain/langgraph-checkpoint";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { IndexedDBSaver } from "../../src/index.ts";
import { at, listed, put } from "../support/checkpoints.ts";
import { freshName, type Implementation, implementations, openSaver } from "../support/contract.ts";
import { deleteDatabase } from "../support/raw-database.ts";
import { runs } from "../support/runs.ts";

/*
 * Any sequence of calls has the same results as with MemorySaver. Where the two differ on purpose, the sequences do not go:
 *
 * - MemorySaver keeps the values that `put` passes, whatever `newVersions` says. Here a channel that is not new has the value
 *   that was stored at its version. The sequences pass versions and values that agree, as LangGraph does.
 * - MemorySaver orders `list` by thread and namespace, and counts `limit` in that order. Here it is by id alone, newest first.
 *   The sequences limit only within one namespace, and compare wider lists without their order.
 * - MemorySaver filters by `===`, so never finds a list or an object. The sequences filter by scalars.
 * - MemorySaver stores JSON: dates, -0, holes and more come back as something else. The sequences store what JSON can hold.
 * - MemorySaver gives the config of `getTuple` back as it was passed. Here it has the three ids. Only these are compared.
 * - MemorySaver never ends on a cycle of parents, refuses `__proto__` and `constructor` as ids, and takes a channel that is
 *   called `toString` for a special one. No sequence does these.
 */

const threads = ["thread", "other"];
const namespaces = ["", "child"];
const channels = ["scalar", "list", "delta"];
const missing = 900_000;

const json = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null), fc.array(fc.integer(), { maxLength: 3 }), fc.dictionary(fc.stringMatching(/^[a-z]{0,3}$/), fc.integer(), { maxKeys: 2, noNullPrototype: true }));
/** Mostly the same place, so that its history gets long. */
const place = { thread: fc.constantFrom("thread", "thread", "thread", "other"), namespace: fc.constantFrom("", "", "", "child") };
const changes = fc.record(
  { scalar: json, list: fc.array(json, { maxLength: 6 }), delta: fc.oneof(fc.constant("bump" as const), fc.array(fc.integer(), { maxLength: 3 })) },
  { requiredKeys: [] },
);
const mark = fc.integer({ min: 0, max: 2 });

const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("put" as const), ...place, parent: fc.nat(8), changes, mark }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("put again" as const), ...place, which: fc.nat(8), parent: fc.nat(8), changes, mark }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("copy" as const), ...place, which: fc.nat(8), mark }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("putWrites" as const),
      ...place,
      ahead: fc.integer({ min: -5, max: 2 }),
      task: fc.constantFrom("task-a", "task-b", "task-\u{1f600}", "task-\ue000"),
      path: fc.constantFrom(undefined, "", "~a", "~b", "\ue000", "\u{1f600}"),
      writes: fc.array(fc.tuple(fc.constantFrom("delta", "delta", "list", ERROR, INTERRUPT, RESUME), json), { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("deleteThread" as const), ...place }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("list" as const),
      ...place,
      limit: fc.option(fc.nat(4), { nil: undefined }),
      before: fc.option(fc.nat(30), { nil: undefined }),
      filter: fc.option(fc.record({ mark }), { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("history" as const), ...place, ahead: fc.integer({ min: -5, max: 1 }) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

interface Known {
  readonly n: number;
  readonly parent: number | undefined;
  readonly values: Record<string, unknown>;
  readonly versions: Record<string, number>;
}

type Results = [ours: Promise<unknown>, memory: unknown];

/** Both savers, and what LangGraph would know about the checkpoints it has put. */
class Both {
  saver: IndexedDBSaver;
  readonly database: string;
  readonly #memory: BaseCheckpointSaver;
  /** Whether versions are unique, as this saver makes them, or integers that repeat on branches, as MemorySaver makes them. */
  readonly #unique: boolean;
  readonly #known = new Map<string, Known[]>();
  #next = 1;
  #version = 1;

  constructor(saver: IndexedDBSaver, memory: BaseCheckpointSaver, database: string, unique: boolean) {
    this.#unique = unique;
    this.saver = saver;
    this.#memory = memory;
    this.database = database;
  }

  async run(operation: Operation): Promise<Results> {
    const { thread, namespace } = operation;
    const known = this.#of(thread, namespace);
    switch (operation.kind) {
      case "put":
        return this.#put(thread, namespace, this.#next++, known[operation.parent], operation);
      case "put again": {
        const again = known[operation.which];
        if (again === undefined) return [Promise.resolve(undefined), undefined];
        const parent = known.filter(({ n }) => n < again.n)[operation.parent];
        // Integers are unique at least along a path: a checkpoint that is put again stores nothing new at one of its children's.
        return this.#put(thread, namespace, again.n, parent, this.#unique ? operation : { ...operation, changes: {} });
      }
      case "copy": {
        // What updateState(config, null, "__copy__") does: all the values, none of them new, under the same parent.
        const original = known[operation.which];
        if (original === undefined) return [Promise.resolve(undefined), undefined];
        return this.#store(thread, namespace, { ...original, n: this.#next++ }, {}, operation.mark);
      }
      case "putWrites":
        return this.#each((saver) => saver.putWrites(at(thread, namespace, Math.max(1, this.#next + operation.ahead)), operation.writes, operation.task, operation.path));
      case "deleteThread":
        for (const each of namespaces) this.#known.delete(JSON.stringify([thread, each]));
        return this.#each((saver) => saver.deleteThread(thread));
      case "list":
        return this.#each(async (saver) => {
          const { limit, before, filter } = operation;
          const options = { ...(limit === undefined ? {} : { limit }), ...(before === undefined ? {} : { before: at("any", "", before) }), ...(filter === undefined ? {} : { filter }) };
          return (await listed(saver, at(thread, namespace), options)).map(facts);
        });
      case "history":
        return this.#each((saver) => saver.getDeltaChannelHistory({ config: at(thread, namespace, Math.max(1, this.#next + operation.ahead)), channels }));
    }
  }

  /** Everything there is to read. */
  async *everything(): AsyncGenerator<Results> {
    yield this.#each(async (saver) => (await listed(saver, {})).map(facts).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)));
    for (const thread of threads) {
      yield this.#each(async (saver) => (await listed(saver, { configurable: { thread_id: thread } }, { filter: { mark: 1 } })).map(({ checkpoint }) => checkpoint.id).toSorted());
      for (const namespace of namespaces) {
        yield this.#each((saver) => saver.getTuple(at(thread, namespace)).then(facts));
        yield this.#each((saver) => saver.getDeltaChannelHistory({ config: at(thread, namespace), channels }));
        for (const { n } of this.#of(thread, namespace)) {
          yield this.#each((saver) => saver.getTuple(at(thread, namespace, n)).then(facts));
          yield this.#each((saver) => saver.getDeltaChannelHistory({ config: at(thread, namespace, n), channels }));
        }
      }
    }
  }

  #put(thread: string, namespace: string, n: number, parent: Known | undefined, { changes: changed, mark: marked }: Extract<Operation, { changes: unknown }>): Promise<Results> {
    const values = { ...parent?.values };
    const versions = { ...parent?.versions };
    const newVersions: Record<string, number> = {};
    for (const [channel, value] of Object.entries(changed)) {
      newVersions[channel] = versions[channel] = this.#unique ? this.#version++ : (versions[channel] ?? 0) + 1;
      if (channel !== "delta") values[channel] = value;
      else if (value === "bump") delete values["delta"];
      else values["delta"] = new DeltaSnapshot(value);
    }
    return this.#store(thread, namespace, { n, parent: parent?.n ?? (marked === 2 ? missing : undefined), values, versions }, newVersions, marked);
  }

  #store(thread: string, namespace: string, made: Known, newVersions: Record<string, number>, marked: number): Promise<Results> {
    const known = this.#of(thread, namespace);
    const place = known.findIndex(({ n }) => n === made.n);
    known.splice(place < 0 ? known.length : place, place < 0 ? 0 : 1, made);
    const { n, parent, values, versions } = made;
    return this.#each((saver) => put(saver, at(thread, namespace, parent), n, { values, versions, newVersions, metadata: { mark: marked }, versionsSeen: { node: versions } }));
  }

  #of(thread: string, namespace: string): Known[] {
    const key = JSON.stringify([thread, namespace]);
    const known = this.#known.get(key) ?? [];
    this.#known.set(key, known);
    return known;
  }

  async #each(call: (saver: BaseCheckpointSaver) => Promise<unknown>): Promise<Results> {
    const ours = call(this.saver);
    return [ours, await call(this.#memory)];
  }
}

function facts(tuple: CheckpointTuple | undefined): unknown {
  if (tuple === undefined) return undefined;
  const { thread_id, checkpoint_ns, checkpoint_id } = tuple.config.configurable as Record<string, string>;
  return { ...tuple, config: { thread_id, checkpoint_ns, checkpoint_id: checkpoint_id ?? tuple.checkpoint.id }, parentConfig: tuple.parentConfig?.configurable };
}

/** Opens a saver on a new database, and again after a reload. */
async function withReload(implementation: Implementation, unique: boolean, use: (both: Both, reload: () => Promise<void>) => Promise<void>): Promise<void> {
  const name = freshName();
  const both = new Both(openSaver(implementation, { name }), new MemorySaver(), name, unique);
  try {
    await use(both, async () => {
      await both.saver.close();
      both.saver = openSaver(implementation, { name });
    });
  } finally {
    await both.saver.close();
    await deleteDatabase(name);
  }
}

const sequence = fc.array(operation, { minLength: 5, maxLength: 40, size: "max" });

describe.each(implementations)("Any sequence of calls (%s)", (implementation) => {
  it("has the results that it has with MemorySaver, and after a reload still", async () => {
    await fc.assert(
      fc.asyncProperty(sequence, fc.boolean(), (operations, unique) =>
        withReload(implementation, unique, async (both, reload) => {
          for (const each of operations) {
            const [ours, expected] = await both.run(each);
            expect(await ours).toStrictEqual(expected);
          }
          for await (const [ours, expected] of both.everything()) expect(await ours).toStrictEqual(expected);
          await reload();
          for await (const [ours, expected] of both.everything()) expect(await ours).toStrictEqual(expected);
          expect((await both.saver.verify()).problems).toStrictEqual([]);
        }),
      ),
      runs(50),
    );
  }, 120_000);

  it("has them too when no call waits for the one before", async () => {
    await fc.assert(
      fc.asyncProperty(sequence, fc.boolean(), (operations, unique) =>
        withReload(implementation, unique, async (both, reload) => {
          const waiting: Promise<unknown>[] = [];
          for (const each of operations.filter(({ kind }) => kind !== "list" && kind !== "history")) waiting.push((await both.run(each))[0]);
          expect((await Promise.allSettled(waiting)).filter(({ status }) => status === "rejected")).toStrictEqual([]);
          for await (const [ours, expected] of both.everything()) expect(await ours).toStrictEqual(expected);
          await reload();
          for await (const [ours, expected] of both.everything()) expect(await ours).toStrictEqual(expected);
          expect((await both.saver.verify()).problems).toStrictEqual([]);
        }),
      ),
      runs(50),
    );
  }, 120_000);
});

describe("Any sequence of calls, by two savers that share a database and nothing else", () => {
  it("has the results that it has with one MemorySaver", async () => {
    await fc.assert(
      fc.asyncProperty(sequence, fc.boolean(), fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }), (operations, unique, turns) =>
        withReload("worker", unique, async (both) => {
          const savers = [both.saver, openSaver("inline", { name: both.database })] as const;
          try {
            for (const [n, each] of operations.entries()) {
              both.saver = savers[turns[n % turns.length] === true ? 0 : 1];
              const [ours, expected] = await both.run(each);
              expect(await ours).toStrictEqual(expected);
            }
            for (const saver of savers) {
              both.saver = saver;
              for await (const [ours, expected] of both.everything()) expect(await ours).toStrictEqual(expected);
            }
            expect((await both.saver.verify()).problems).toStrictEqual([]);
          } finally {
            both.saver = savers[0];
            await savers[1].close();
          }
        }),
      ),
      runs(50),
    );
  }, 120_000);
});
