import { InvalidConfigError } from "../errors/index.ts";
import type { Message, messagesReducer, MessageWrite } from "./messages.ts";
import type { Overwrite } from "./overwrite.ts";

/**
 * All writes of some steps into the state, in one call. It gives the same for one batch as for several one after
 * another (see {@link assertBatchInvariant}), and changes neither its arguments nor what they hold.
 */
export type BatchReducer<State, Write> = (state: State, writes: readonly Write[]) => State;

/** One write into the state. It does not change its arguments. */
export type Reducer<State, Write> = (state: State, write: Write) => State;

/** A channel of which a step stores only what it wrote. See {@link delta}. */
export interface DeltaChannel<State = unknown, Write = unknown> {
  readonly kind: "delta";
  reducer(state: State, writes: readonly Write[]): State;
  readonly snapshotFrequency: number;
  initial(): State;
}

/** A channel that has its whole value in every step. See {@link aggregate}. */
export interface AggregateChannel<State = unknown, Write = unknown> {
  readonly kind: "aggregate";
  reducer(state: State, write: Write): State;
  initial(): State;
}

/** A channel that has what was written last. See {@link lastValue}. */
export interface LastValueChannel<Value = unknown> {
  readonly kind: "last";
  initial(): Value;
}

export type ChannelDefinition<State = unknown, Write = unknown> =
  | DeltaChannel<State, Write>
  | AggregateChannel<State, Write>
  | LastValueChannel<State>;

/** The channels of a thread's state, by name. */
export type Channels = Readonly<Record<string, ChannelDefinition>>;

export type StateOf<Definition> =
  Definition extends DeltaChannel<infer State, infer _> ? State
  : Definition extends AggregateChannel<infer State, infer _> ? State
  : Definition extends LastValueChannel<infer Value> ? Value
  : never;

export type WriteOf<Definition> =
  Definition extends DeltaChannel<infer State, infer Write> ? Write | Overwrite<State>
  : Definition extends AggregateChannel<infer State, infer Write> ? Write | Overwrite<State>
  : Definition extends LastValueChannel<infer Value> ? Value
  : never;

export interface DeltaOptions<State> {
  /**
   * After how many updates of the channel a step stores the whole value too: the most that a replay has to go through.
   * Default 100. A step 5000 steps after the last snapshot stores one in any case.
   */
  readonly snapshotFrequency?: number;
  /** The value before the first write. Default: an empty array. */
  readonly initial?: () => State;
}

/**
 * A channel of which a step stores only what it wrote, and now and then a snapshot of the whole. The value is rebuilt by
 * replaying the writes since the nearest stored value: a snapshot, or what an earlier release of the application stored.
 *
 * @throws InvalidConfigError for a frequency that is not a whole number above zero
 *
 * @example
 * ```ts
 * const words = delta((state: string[], writes: readonly string[]) => [...state, ...writes], { snapshotFrequency: 50 });
 * ```
 */
export function delta(reducer: typeof messagesReducer, options?: DeltaOptions<Message[]>): DeltaChannel<Message[], MessageWrite<Message>>;
export function delta<State, Write>(reducer: BatchReducer<State, Write>, options?: DeltaOptions<State>): DeltaChannel<State, Write>;
export function delta<State, Write>(reducer: BatchReducer<State, Write>, options: DeltaOptions<State> = {}): DeltaChannel<State, Write> {
  const { snapshotFrequency = 100, initial = () => [] as State } = options;
  if (!Number.isSafeInteger(snapshotFrequency) || snapshotFrequency < 1) {
    throw new InvalidConfigError({ field: "snapshotFrequency", hint: "It is a number of updates: a whole number above zero." });
  }
  return { kind: "delta", reducer, snapshotFrequency, initial };
}

/** A channel whose whole value is stored in every step, made from the one before and each write. */
export function aggregate<State, Write>(reducer: Reducer<State, Write>, options: { readonly initial: () => State }): AggregateChannel<State, Write> {
  return { kind: "aggregate", reducer, initial: options.initial };
}

/** A channel that has what was written last, and takes one write a step. */
export function lastValue<Value>(): LastValueChannel<Value | undefined>;
export function lastValue<Value>(options: { readonly initial: () => Value }): LastValueChannel<Value>;
export function lastValue<Value>(options?: { readonly initial: () => Value }): LastValueChannel<Value | undefined> {
  return { kind: "last", initial: options?.initial ?? (() => undefined) };
}
