import { NotBatchInvariantError } from "../errors/index.ts";
import type { BatchReducer } from "./definition.ts";
import { equal } from "./equal.ts";

/**
 * Checks the law of batch reducers with some writes: the same state from all of them at once, from any two batches, and
 * one by one. States are frozen, so that a reducer that changes its argument throws. For a test of an own reducer, best with many lists of writes from a property-testing library.
 *
 * @param options `initial`: makes the state to begin with. `equal`: whether two states are the same; by default deeply.
 * @throws NotBatchInvariantError with the batches that gave something else
 *
 * @example
 * ```ts
 * assertBatchInvariant((state: number[], writes: readonly number[]) => [...state, ...writes], [1, 2, 3]);
 * ```
 */
export function assertBatchInvariant<State, Write>(
  reducer: BatchReducer<State, Write>,
  writes: readonly Write[],
  options: { readonly initial?: () => State; readonly equal?: (a: State, b: State) => boolean } = {},
): void {
  const { initial = () => [] as State, equal: same = equal } = options;
  const run = (batches: readonly (readonly Write[])[]): State => batches.reduce((state, batch) => frozen(reducer(state, batch)), frozen(initial()));
  const whole = run([writes]);
  const splits = writes.slice(1).map((_, index) => [writes.slice(0, index + 1), writes.slice(index + 1)]);
  for (const batches of [...splits, writes.map((write) => [write])]) {
    if (!same(run(batches), whole)) throw new NotBatchInvariantError({ batches: batches.map(({ length }) => length) });
  }
}

/** Arrays and plain objects, all the way down. */
function frozen<T>(value: T): T {
  const isPlain = Array.isArray(value) || (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype);
  if (!isPlain || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}
