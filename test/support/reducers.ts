import { aggregate, delta, lastValue, messagesReducer } from "../../src/threads/index.ts";

/** An application's channels, with reducers of its own. `onReduce` is called with each use of one of these. */
export function applicationChannels(onReduce: () => void = () => undefined) {
  return {
    messages: delta(messagesReducer),
    numbers: delta(
      (state: readonly number[], writes: readonly (number | readonly number[])[]) => {
        onReduce();
        return [...state, ...writes.flat()];
      },
      { snapshotFrequency: 3 },
    ),
    counts: delta(
      (state: Readonly<Record<string, number>>, writes: readonly string[]) => {
        onReduce();
        return writes.reduce((counts, word) => ({ ...counts, [word]: (counts[word] ?? 0) + 1 }), state);
      },
      { snapshotFrequency: 5, initial: () => ({}) },
    ),
    sum: aggregate(
      (state: number, write: number) => {
        onReduce();
        return state + write;
      },
      { initial: () => 100 },
    ),
    title: lastValue<string>(),
  };
}
