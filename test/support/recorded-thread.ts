import { type BaseCheckpointSaver, type CheckpointTuple, DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import fc from "fast-check";
import { at, checkpointId, historyOf, listed, metadataOf, tupleAt, valuesAt } from "./checkpoints.ts";
import { difference } from "./difference.ts";
import { additions, apply, edit, type Edit } from "./edits.ts";
import { description } from "./items.ts";
import { lively, still } from "./still.ts";

interface State {
  messages: unknown[];
  delta: unknown[];
  map: Map<string, unknown>;
  record: Record<string, unknown>;
}
type Channel = keyof State;
const channels: readonly Channel[] = ["messages", "delta", "map", "record"];

/** One superstep: where it goes on from, and what it changes. */
export interface Step {
  /** How many of the last checkpoints to go back over before going on: above 0 this makes a fork. */
  readonly back: number;
  readonly edits: readonly { readonly channel: Channel; readonly change: Edit }[];
  /** Whether the delta channel is stored in full; otherwise only what was written to it is. */
  readonly snapshot: boolean;
  /** On which checkpoint what was added is also put as a task's writes. `"next"`: on the step's own, before that is put. */
  readonly writes: "none" | "parent" | "next" | "own";
}

const edits = fc.array(fc.record({ channel: fc.constantFrom<Channel>("messages", "messages", "delta", "map", "record"), change: edit }), { minLength: 1, maxLength: 4 });
const writes = fc.constantFrom("none", "parent", "parent", "next", "own");

export const step: fc.Arbitrary<Step> = fc.record({
  back: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(12) }),
  edits,
  snapshot: fc.boolean(),
  writes,
});

/** From anywhere in a long thread. */
export const farStep: fc.Arbitrary<Step> = fc.record({ back: fc.nat(120), edits, snapshot: fc.boolean(), writes });

/** A little more of everything, on the same branch. */
export const smallStep: fc.Arbitrary<Step> = fc.record({
  back: fc.constant(0),
  edits: fc.array(
    fc.record({
      channel: fc.constantFrom<Channel>("messages", "delta", "map"),
      change: fc.record({ kind: fc.constant("append" as const), items: fc.array(description.map((each) => ({ ...each, size: each.size % 200 })), { minLength: 1, maxLength: 2 }), times: fc.constant(1) }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  snapshot: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
  writes,
});

interface Batch {
  readonly task: string;
  readonly writes: readonly (readonly [Channel, unknown])[];
  acknowledged: boolean;
}

interface Known {
  readonly n: number;
  readonly parent: Known | undefined;
  /** All channels, as they were when this was put. */
  readonly state: State;
  /** What of it was put. */
  readonly values: Record<string, unknown>;
  readonly versions: Record<string, number>;
  readonly batches: Batch[];
  acknowledged: boolean;
  /** What its history was when its parent was removed: what is written on other ancestors later is not of it. */
  past?: History;
}

interface History {
  readonly seed?: unknown;
  readonly writes: unknown[];
}

/**
 * A thread, and what every checkpoint of it must be when it is loaded. The application's side holds its lists and maps from
 * step to step and changes them in place: what is put are the very objects that were put before.
 */
export class RecordedThread {
  readonly id: string;
  readonly namespace: string;
  /** Whether versions are unique, as this saver makes them, or integers that repeat on branches. */
  readonly #unique: boolean;
  readonly #known: Known[] = [];
  /** What the application holds, at the end of each branch. */
  readonly #held = new Map<Known, State>();
  #next = 1;
  /** Where ancestors have gone, what a checkpoint holds itself has no history any more, nor needs one. */
  #lacksSome = false;

  constructor(id: string, unique: boolean, namespace = "") {
    this.id = id;
    this.namespace = namespace;
    this.#unique = unique;
  }

  /** The numbers of its checkpoints, and of their parents, of which some may have been dropped. */
  get places(): { readonly n: number; readonly parent: number | undefined }[] {
    return this.#known.map(({ n, parent }) => ({ n, parent: parent?.n }));
  }

  /** Checkpoints were removed: of them nothing is expected any more, of the others all that was. */
  drop(isGone: (n: number) => boolean): void {
    const left = this.#known.filter(({ n }) => !isGone(n));
    this.#lacksSome ||= left.length < this.#known.length;
    for (const known of left) if (known.parent !== undefined && isGone(known.parent.n)) known.past ??= expectedHistory(known);
    this.#known.splice(0, this.#known.length, ...left);
  }

  /** Only the newest stay, and if asked for those that none goes on from. */
  dropAllBut(last: number, tips: boolean): void {
    const parents = new Set(this.#known.map(({ parent }) => parent?.n));
    const newest = new Set(this.#known.map(({ n }) => n).sort((a, b) => b - a).slice(0, last));
    this.drop((n) => !newest.has(n) && !(tips && !parents.has(n)));
  }

  /** The thread was copied. */
  copyAs(id: string): RecordedThread {
    const copy = new RecordedThread(id, this.#unique, this.namespace);
    const copies = new Map<Known, Known>();
    const copyOf = (known: Known): Known => {
      const made = copies.get(known) ?? { ...known, parent: known.parent && copyOf(known.parent), batches: known.batches.map((batch) => ({ ...batch })) };
      copies.set(known, made);
      return made;
    };
    copy.#known.push(...this.#known.map(copyOf));
    copy.#next = this.#next;
    copy.#lacksSome = this.#lacksSome;
    return copy;
  }

  /** What another state of the thread, merged into this one, makes of it: what is there keeps its history, and what is new brings its own. */
  merge(other: RecordedThread): RecordedThread {
    const merged = this.copyAs(this.id);
    const there = new Map(merged.#known.map((known) => [known.n, known]));
    const comes = new Set(other.#known.map(({ n }) => n));
    for (const known of other.copyAs(this.id).#known) {
      const { n, parent, batches } = known;
      const existing = there.get(n);
      if (existing !== undefined) {
        existing.batches.push(...batches.filter(({ task }) => !existing.batches.some((batch) => batch.task === task)));
        continue;
      }
      const added = parent !== undefined && comes.has(parent.n) ? { ...known, parent: there.get(parent.n) } : known;
      there.set(n, added);
      merged.#known.push(added);
    }
    merged.#next = Math.max(this.#next, other.#next);
    merged.#lacksSome ||= other.#lacksSome;
    return merged;
  }

  get acknowledged(): number {
    return this.#known.filter(({ acknowledged }) => acknowledged).length;
  }

  /** Puts a step, all its calls at once as LangGraph does; resolves when all is acknowledged. */
  async put(saver: BaseCheckpointSaver, made: Step): Promise<void> {
    const parent = this.#parentOf(made);
    const { known, live, batch, on } = this.#make(made, parent, parent && (this.#take(parent) ?? (await this.#load(saver, parent))));
    const fresh = Object.fromEntries(Object.entries(known.versions).filter(([channel, version]) => known.parent?.versions[channel] !== version));
    const write = async (): Promise<void> => {
      if (on === undefined) return;
      await saver.putWrites(at(this.id, this.namespace, on.n), batch.writes.map(([channel, value]) => [channel, lively(value)]), batch.task);
      batch.acknowledged = true;
    };
    const store = async (): Promise<void> => {
      const checkpoint = {
        v: 4,
        id: checkpointId(known.n),
        ts: new Date(Date.UTC(2026, 0, 1) + known.n).toISOString(),
        channel_values: live,
        channel_versions: known.versions,
        versions_seen: {},
      };
      await saver.put(at(this.id, this.namespace, known.parent?.n), checkpoint, metadataOf(known.n, { run_id: runOf(known.n) }), fresh);
      known.acknowledged = true;
    };
    const calls = made.writes === "own" ? [store(), write()] : [write(), store()];
    for (const outcome of await Promise.allSettled(calls)) if (outcome.status === "rejected") throw outcome.reason as Error;
  }

  /** Takes a step for done in an earlier life of the application, as far as is certain. */
  recall(made: Step, certain: "all of it" | "its checkpoint" | "nothing"): void {
    const parent = this.#parentOf(made);
    const { known, batch } = this.#make(made, parent, parent && this.#take(parent));
    known.acknowledged = certain !== "nothing";
    batch.acknowledged = certain === "all of it";
  }

  /** @throws Error unless every checkpoint that was acknowledged before the call, and any other that is there, is what was put */
  async check(saver: BaseCheckpointSaver): Promise<void> {
    const due = new Set<Known | Batch>(this.#known.flatMap((known) => [known, ...known.batches]).filter(({ acknowledged }) => acknowledged));
    const found = new Map((await listed(saver, at(this.id, this.namespace))).map((tuple) => [tuple.checkpoint.id, tuple]));
    for (const known of this.#known) {
      const tuple = found.get(checkpointId(known.n));
      if (tuple !== undefined) requireExact(known, tuple, due);
      else if (due.has(known)) throw new Error(`checkpoint ${known.n} was acknowledged, and is not there`);
      found.delete(checkpointId(known.n));
    }
    if (found.size > 0) throw new Error(`there are checkpoints that were never put: ${[...found.keys()].join(", ")}`);
  }

  /** The same by every other way of reading: one by one, and as a delta channel's history. Needs all to be acknowledged. */
  async checkEach(saver: BaseCheckpointSaver): Promise<void> {
    for (const known of this.#known) {
      requireExact(known, await tupleAt(saver, at(this.id, this.namespace, known.n)), new Set(known.batches));
      if (this.#lacksSome && "delta" in known.values) continue;
      const reason = difference(still(await historyOf(saver, at(this.id, this.namespace, known.n), "delta")), expectedHistory(known), `history of ${known.n}`);
      if (reason !== undefined) throw new Error(reason);
    }
  }

  #parentOf({ back }: Step): Known | undefined {
    const ends = this.#known.filter(({ acknowledged }) => acknowledged);
    return ends[ends.length - 1 - (back % Math.max(1, ends.length))];
  }

  /** From the end of a branch the application goes on with what it holds. */
  #take(parent: Known): State | undefined {
    const held = this.#held.get(parent);
    this.#held.delete(parent);
    return held;
  }

  /** A fork begins with what is loaded. */
  async #load(saver: BaseCheckpointSaver, parent: Known): Promise<State> {
    const { messages, map, record } = await valuesAt(saver, at(this.id, this.namespace, parent.n));
    return { ...(lively(parent.state) satisfies State), messages: messages as State["messages"], map: map as State["map"], record: record as State["record"] };
  }

  /** Makes the next checkpoint. `live` is what to put: the objects that the application holds and will go on changing. */
  #make({ edits, snapshot, writes }: Step, parent: Known | undefined, found: State | undefined): { known: Known; live: Record<string, unknown>; batch: Batch; on: Known | undefined } {
    const held = found ?? (parent === undefined ? { messages: [], delta: [], map: new Map(), record: {} } : lively(parent.state));
    for (const { channel, change } of edits) apply(change, held[channel]);
    const state = still(held);
    const n = this.#next++;
    const versions: Record<string, number> = { ...parent?.versions };
    const values: Record<string, unknown> = { ...parent?.values };
    for (const channel of parent === undefined ? channels : new Set(edits.map((each) => each.channel))) {
      versions[channel] = this.#unique ? n + 0.5 : (versions[channel] ?? 0) + 1;
      if (channel !== "delta") values[channel] = state[channel];
      else if (snapshot) values["delta"] = new DeltaSnapshot(state.delta);
      else delete values["delta"];
    }
    const { delta, ...live }: Record<string, unknown> = { ...held };
    if ("delta" in values) live["delta"] = new DeltaSnapshot(delta);
    const known: Known = { n, parent, state, values, versions, batches: [], acknowledged: false };
    const added = edits.map(({ channel, change }) => [channel, additions(change)] as const).filter(([, items]) => items.length > 0);
    const on = added.length === 0 || writes === "none" ? undefined : writes === "parent" ? parent : known;
    const batch: Batch = { task: `task ${String(n).padStart(6, "0")}`, writes: still(added), acknowledged: false };
    on?.batches.push(batch);
    this.#known.push(known);
    this.#held.set(known, held);
    return { known, live, batch, on };
  }
}

/** What the metadata names as the run that put a checkpoint. */
export function runOf(n: number): string {
  return `run ${n % 5}`;
}

/** A batch that is not due is there whole or not at all. */
function requireExact({ n, parent, values, batches }: Known, tuple: CheckpointTuple, due: ReadonlySet<Known | Batch>): void {
  const written = still(tuple.pendingWrites ?? []);
  const there = new Set(written.map(([task]) => task));
  const expected = batches
    .filter((batch) => due.has(batch) || there.has(batch.task))
    .flatMap(({ task, writes }) => writes.map(([channel, value]) => [task, channel, value]));
  const reason =
    difference(inOrder(still(tuple.checkpoint.channel_values)), inOrder(values), `values of ${n}`) ??
    difference(written, expected, `writes of ${n}`) ??
    difference(tuple.parentConfig?.configurable?.["checkpoint_id"], parent && checkpointId(parent.n), `parent of ${n}`);
  if (reason !== undefined) throw new Error(reason);
}

/** Channels have no order. */
function inOrder(values: Record<string, unknown>): [string, unknown][] {
  return Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function expectedHistory({ parent, past }: Known): History {
  if (past !== undefined) return past;
  const writes: unknown[][] = [];
  for (let ancestor = parent; ancestor !== undefined; ancestor = ancestor.parent) {
    writes.unshift(ancestor.batches.flatMap(({ task, writes: written }) => written.filter(([channel]) => channel === "delta").map(([channel, value]) => [task, channel, value])));
    if ("delta" in ancestor.values) return { writes: writes.flat(), seed: ancestor.values["delta"] };
    if (ancestor.past !== undefined) return { ...ancestor.past, writes: [...ancestor.past.writes, ...writes.flat()] };
  }
  return { writes: writes.flat() };
}
